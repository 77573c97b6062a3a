import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InfraError, startInfra } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "parts-test-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function withDatabase<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const insert = (uri: string, _id: number) =>
  withDatabase(uri, (client) =>
    client.withSession((session) =>
      session.withTransaction(() => client.db("t").collection<{ _id: number }>("kept").insertOne({ _id }, { session })),
    ),
  );

const stored = (uri: string) =>
  withDatabase(uri, async (client) => (await client.db("t").collection("kept").find().toArray()).map(({ _id }) => _id));

const alive = (pid: number | undefined) => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("starting the parts", () => {
  it("gives a replica set that knows transactions, and a server with JetStream", async () => {
    await using parts = await startInfra({ directory, env: {} });
    await insert(parts.mongodbUri, 1);
    expect(await stored(parts.mongodbUri)).toEqual([1]);
    expect(parts.natsUrl).toMatch(/^nats:\/\/127\.0\.0\.1:\d+$/);
  });

  it("takes only what is asked for", async () => {
    await using parts = await startInfra({ directory, env: {}, mongodb: false });
    expect(Object.keys(parts.processes)).toEqual(["nats"]);
    await expect(parts.restart("mongodb")).rejects.toThrow("mongodb was not started.");
  });

  it("finds the data of last time, on other ports too", async () => {
    const first = await startInfra({ directory, env: {}, nats: false });
    await insert(first.mongodbUri, 1);
    await first.stop();
    await using second = await startInfra({ directory, env: {}, nats: false });
    expect(second.mongodbUri).not.toBe(first.mongodbUri);
    expect(await stored(second.mongodbUri)).toEqual([1]);
  });

  it("takes another port when the wanted one is taken", async () => {
    await using first = await startInfra({ directory: join(directory, "a"), env: {}, mongodb: false });
    const port = Number(new URL(first.natsUrl).port);
    await using second = await startInfra({
      directory: join(directory, "b"),
      env: {},
      mongodb: false,
      ports: { nats: port },
    });
    expect(new URL(second.natsUrl).port).not.toBe(String(port));
  });
});

describe("a part that is killed", () => {
  it("is gone, and comes back at the same address with what was committed", async () => {
    await using parts = await startInfra({ directory, env: {} });
    await insert(parts.mongodbUri, 1);
    for (const which of ["mongodb", "nats"] as const) {
      const { [which]: before } = parts.processes;
      await parts.kill(which);
      expect(before?.signalCode).toBe("SIGKILL");
      expect(alive(before?.pid)).toBe(false);
      await parts.restart(which);
      expect(alive(parts.processes[which]?.pid)).toBe(true);
    }
    await insert(parts.mongodbUri, 2);
    expect(await stored(parts.mongodbUri)).toEqual([1, 2]);
  });
});

describe("parts that are given", () => {
  const given = () => ({ MONGODB_URI: process.env.TEST_MONGODB_URI, NATS_URL: process.env.TEST_NATS_URL });

  it("are used, and neither restarted nor stopped", async () => {
    const parts = await startInfra({ directory, env: given() });
    expect([parts.mongodbUri, parts.natsUrl]).toEqual(Object.values(given()));
    expect(parts.processes).toEqual({});
    await expect(parts.kill("nats")).rejects.toThrow(InfraError);
    await parts.stop();
    await withDatabase(parts.mongodbUri, (client) => client.db("admin").command({ ping: 1 }));
  });

  it.each([
    [
      "MONGODB_URI",
      "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200",
      /^MONGODB_URI does not answer \(.*\): correct it, or unset it/,
    ],
    ["MONGODB_URI", "no uri", /^MONGODB_URI does not answer \(Invalid scheme.*\)/],
    ["NATS_URL", "nats://127.0.0.1:1", /^NATS_URL does not answer \(connect ECONNREFUSED.*\): correct it, or unset it/],
  ])("are refused with one sentence when %s is %s", async (name, value, sentence) => {
    const refused = startInfra({ directory, env: { ...given(), [name]: value } });
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toThrow(InfraError);
  });
});
