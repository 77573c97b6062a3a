import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBinary, freePorts, mongodBinary, natsServerBinary, SupervisedProcess } from "@aiplatform/local-platform";
import { eventually } from "@aiplatform/testkit";
import { MongoClient } from "mongodb";
import { beforeAll, describe, expect, it } from "vitest";
import { complaints, disposeAfterAll, examined, folder, keep, silent } from "./rig.ts";

disposeAfterAll();

/** Runs a program until the tests of the file are over. */
async function running(
  name: string,
  { command, args, ready }: { command: string; args: string[]; ready: () => Promise<boolean> },
) {
  const logFile = join(folder(), `${name}.log`);
  const program = new SupervisedProcess({ name, command, args, logFile, ready, log: () => {} });
  await program.start();
  keep(() => program.stop());
}

async function binary(which: typeof mongodBinary): Promise<string> {
  const { path } = await findBinary(which);
  if (path === undefined) throw new Error("the program is not there");
  return path;
}

describe("MongoDB", () => {
  let port: number;
  const password = "right-password";
  const login = (user: string, word = password) =>
    `mongodb://${user}:${word}@127.0.0.1:${port}/?authSource=admin&replicaSet=rs0`;
  const found = async (uri: string) =>
    complaints(await examined("training", { MONGODB_URI: uri }, { checks: ["mongodb"] }));

  beforeAll(async () => {
    [port = 0] = await freePorts([0]);
    const home = folder();
    const keyFile = join(home, "key");
    mkdirSync(join(home, "data"));
    writeFileSync(keyFile, randomBytes(96).toString("base64"));
    chmodSync(keyFile, 0o600);
    const args = ["--replSet", "rs0", "--keyFile", keyFile, "--bind_ip", "127.0.0.1", "--port", String(port)];
    args.push("--dbpath", join(home, "data"), "--nounixsocket", "--wiredTigerCacheSizeGB", "0.25", "--oplogSize", "64");
    const direct = `mongodb://127.0.0.1:${port}/?directConnection=true&serverSelectionTimeoutMS=500`;
    const ready = async () => (await withClient(direct, (client) => client.db().command({ hello: 1 }))).ok === 1;
    await running("mongod", { command: await binary(mongodBinary), args, ready: () => ready().catch(() => false) });
  });

  async function withClient<T>(uri: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
    const client = new MongoClient(uri);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }

  it("says what helps from the first start on: initiating, the login, its rights, the name of the set", async () => {
    const remedyToInitiate = "initiate it once: mongosh --eval 'rs.initiate()'";
    expect(await found(login("platform"))).toEqual([
      `failed mongodb: the replica set was never initiated → ${remedyToInitiate}`,
    ]);

    await withClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, async (client) => {
      const admin = client.db("admin");
      await admin.command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: `127.0.0.1:${port}` }] } });
      await eventually(async () => (await admin.command({ hello: 1 }))["isWritablePrimary"] === true);
      // The first user may be made from this machine without a login, and is the last who may.
      await admin.command({ createUser: "root", pwd: password, roles: ["root"] });
    });
    await withClient(login("root"), async (client) => {
      const roles = [{ role: "readWrite", db: "training" }];
      await client.db("admin").command({ createUser: "platform", pwd: password, roles });
      await client
        .db("admin")
        .command({ createUser: "reader", pwd: password, roles: [{ role: "read", db: "training" }] });
      await client.db("admin").command({ setParameter: 1, transactionLifetimeLimitSeconds: 600 });
    });

    expect(await found(login("platform"))).toEqual([]);
    expect(await found(login("root"))).toEqual([
      expect.stringMatching(/^warning mongodb: transactions last 600 s at most → .*transactionLifetimeLimitSeconds/),
    ]);
    const refused = await examined(
      "training",
      { MONGODB_URI: login("platform", "wrong-password") },
      { checks: ["mongodb"] },
    );
    expect(complaints(refused)).toEqual([
      expect.stringMatching(/^failed mongodb: MongoDB refuses the login → MONGODB_PASSWORD_FILE has the password/),
    ]);
    expect(JSON.stringify(refused)).not.toContain("wrong-password");
    expect(await found(login("reader"))).toEqual([
      expect.stringMatching(/^failed mongodb: may not insert, .* in training → give .*readWrite on training/),
    ]);
    expect(await found(login("platform").replace("rs0", "rs1"))).toEqual([
      expect.stringMatching(
        /^failed mongodb: no primary of the set .* which belong to rs0 → MONGODB_URI's replicaSet=/,
      ),
    ]);
  });

  it("that is not there, or never answers, is told in time", async () => {
    expect(await found("mongodb://127.0.0.1:1/?replicaSet=rs0")).toEqual([
      expect.stringMatching(/^failed mongodb: no answer from 127.0.0.1:1: .*ECONNREFUSED/),
    ]);
    const uri = `mongodb://127.0.0.1:${await silent()}/`;
    const started = performance.now();
    const late = await examined("training", { MONGODB_URI: uri }, { checks: ["mongodb"], timeoutMs: 700 });
    expect(complaints(late)).toEqual([expect.stringMatching(/^failed mongodb: no answer within 0.7 s → MONGODB_URI/)]);
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});

describe("NATS", () => {
  const found = async (settings: Record<string, string>) =>
    complaints(await examined("training", settings, { checks: ["nats"] }));

  it("without JetStream, with another login, or away, is told with what helps", async () => {
    const [port = 0] = await freePorts([0]);
    const args = ["--addr", "127.0.0.1", "--port", String(port), "--user", "platform", "--pass", "right-password"];
    const ready = async () => (await found({ NATS_URL: `nats://127.0.0.1:${port}` })).join("").includes("login");
    await running("nats", { command: await binary(natsServerBinary), args, ready });
    expect(await found({ NATS_URL: `nats://platform:right-password@127.0.0.1:${port}` })).toEqual([
      "failed nats: JetStream is off → start nats-server with --jetstream (or jetstream {} in its file)",
    ]);
    expect(await found({ NATS_URL: `nats://platform:wrong-password@127.0.0.1:${port}` })).toEqual([
      expect.stringMatching(/^failed nats: NATS refuses the login → NATS_NKEY_FILE/),
    ]);
    expect(await found({ NATS_URL: "nats://127.0.0.1:1" })).toEqual([
      expect.stringMatching(/^failed nats: no answer → start NATS, or correct NATS_URL/),
    ]);
  });
});
