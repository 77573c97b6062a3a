import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findBinary, freePort, mongodBinary, until } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";
import { type BackupMethod, describeBackup } from "./backup-journey.ts";

const filesOf = (directory: string) => join(directory, "mongodb", "data");

/** What the page on backups says about copies of a volume. */
const copies: BackupMethod = {
  async take({ mongodbUri, directory }, backup) {
    await using client = await MongoClient.connect(mongodbUri);
    const admin = client.db("admin");
    await admin.command({ fsync: 1, lock: true });
    try {
      await cp(filesOf(directory), join(backup, "data"), { recursive: true });
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
    await cp(join(directory, "artifacts"), join(backup, "artifacts"), { recursive: true });
  },

  async restore(backup, directory) {
    await mkdir(filesOf(directory), { recursive: true });
    await cp(join(backup, "data"), filesOf(directory), { recursive: true });
    await forgetReplicaSet(filesOf(directory));
    await cp(join(backup, "artifacts"), join(directory, "artifacts"), { recursive: true });
  },
};

/** Starts mongod on the copy alone, so that it can be the first member of another set. */
async function forgetReplicaSet(dbpath: string): Promise<void> {
  const { path } = await findBinary(mongodBinary, {});
  const port = await freePort();
  if (!path) throw new Error("there is no mongod here; npm start says how to get one");
  const args = ["--dbpath", dbpath, "--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket"];
  const mongod = spawn(path, args, { stdio: "ignore" });
  const ended = once(mongod, "exit");
  try {
    const client = await until(
      () =>
        MongoClient.connect(`mongodb://127.0.0.1:${port}`, { serverSelectionTimeoutMS: 1_000 }).catch(() => undefined),
      { withinMs: 60_000, everyMs: 100, otherwise: () => new Error("mongod did not start on the copy") },
    );
    await client.db("local").dropDatabase();
    await client.close();
  } finally {
    mongod.kill("SIGTERM");
    await ended;
  }
}

describeBackup("a copy of MongoDB's volume, on which a new replica set is started", copies);
