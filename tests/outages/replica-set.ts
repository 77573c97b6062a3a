import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinary, freePorts, mongodBinary, SupervisedProcess, until } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";

const name = "outages";

/** Three mongods that are one replica set. */
export interface ReplicaSet extends AsyncDisposable {
  /** Address of the whole set. */
  uri: string;
  /** Which of them is the primary. Waits for one. */
  primary(): Promise<number>;
  /** Asks the primary to give way to another for half a minute. */
  stepDown(): Promise<void>;
  /** Ends one with SIGKILL; it stays away until {@link start}. */
  kill(index: number): Promise<void>;
  start(index: number): Promise<void>;
}

async function opened<R>(uri: string, use: (client: MongoClient) => Promise<R>): Promise<R> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 2_000 });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const helloOf = (port: number) =>
  opened(`mongodb://127.0.0.1:${port}/?directConnection=true`, (client) => client.db("admin").command({ hello: 1 }));

async function startMember(binary: string, port: number, directory: string): Promise<SupervisedProcess> {
  const dbpath = join(directory, String(port));
  await mkdir(dbpath, { recursive: true });
  const args = ["--replSet", name, "--bind_ip", "127.0.0.1", "--port", String(port), "--dbpath", dbpath];
  args.push("--wiredTigerCacheSizeGB", "0.25", "--oplogSize", "128", "--nounixsocket");
  args.push("--setParameter", "diagnosticDataCollectionEnabled=false");
  // As npm start sets it: what a killed service left open holds others up for so long.
  args.push("--setParameter", "transactionLifetimeLimitSeconds=10");
  const member = new SupervisedProcess({
    name: `mongod ${port}`,
    command: binary,
    args,
    logFile: join(directory, `${port}.log`),
    ready: () => helloOf(port).then(() => true),
    log: () => {},
  });
  await member.start();
  return member;
}

/** Starts them, and waits until they have a primary. */
export async function startReplicaSet(): Promise<ReplicaSet> {
  const found = await findBinary(mongodBinary);
  if (found.path === undefined) throw new Error(`no mongod: ${found.obstacles.join("; ")}`);
  const { path } = found;
  const directory = await mkdtemp(join(tmpdir(), "replica-set-"));
  const ports = await freePorts([0, 0, 0]);
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  const members = await Promise.all(ports.map((port) => startMember(path, port, directory)));
  const initiate = { _id: name, members: hosts.map((host, _id) => ({ _id, host })) };
  await opened(`mongodb://${hosts[0]}/?directConnection=true`, (client) =>
    client.db("admin").command({ replSetInitiate: initiate }),
  );
  const uri = `mongodb://${hosts.join(",")}/?replicaSet=${name}`;
  const primary = async () => {
    const look = async () => {
      const hellos = await Promise.all(ports.map((port) => helloOf(port).catch(() => undefined)));
      const index = hellos.findIndex((hello) => hello?.isWritablePrimary);
      return index < 0 ? undefined : index;
    };
    return until(look, { withinMs: 60_000, everyMs: 100, otherwise: () => new Error("no primary") });
  };
  await primary();
  return {
    uri,
    primary,
    async stepDown() {
      const command = { replSetStepDown: 30, secondaryCatchUpPeriodSecs: 10 };
      await opened(uri, (client) => client.db("admin").command(command));
    },
    kill: async (index) => members[index]?.kill("SIGKILL"),
    start: async (index) => members[index]?.start(),
    async [Symbol.asyncDispose]() {
      await Promise.all(members.map((member) => member.kill("SIGKILL")));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
