import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDocumentStore, createIndexes, type DocumentStore, type IndexPlan } from "@aiplatform/document-store";
import { type Infra, startInfra } from "@aiplatform/local-platform";
import { eventually } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";

let directory: string;
let parts: Infra;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "indexes-"));
  parts = await startInfra({ directory, nats: false, env: { ...process.env, MONGODB_URI: undefined } });
});

afterAll(async () => {
  await parts?.stop();
  await rm(directory, { recursive: true, force: true });
});

const documents = 400_000;
const keys = ["one", "other", "third", "fourth"];
const plan: IndexPlan = {
  collection: "things",
  owner: "installation",
  indexes: keys.map((key) => ({ key: { [key]: 1 as const } })),
};

async function filledStore(): Promise<DocumentStore> {
  const store = await openStore(parts.mongodbUri);
  const things = store.database.collection("things");
  for (let from = 0; from < documents; from += 20_000) {
    const batch = Array.from({ length: 20_000 }, () => Object.fromEntries(keys.map((key) => [key, Math.random()])));
    await things.insertMany(batch);
  }
  return store;
}

/** Begins to build, and resolves in the middle of it. */
async function building(store: DocumentStore, waitMs = 60_000) {
  const failures: unknown[] = [];
  const logger = { info: () => undefined, warn: (fields: { err?: unknown }) => void failures.push(fields.err) };
  const built = createIndexes(store, [plan], { logger, waitMs });
  built.catch(() => undefined);
  await eventually(async () => {
    const { cursor } = await store.database.command({ listIndexes: "things", includeIndexBuildInfo: true });
    return cursor.firstBatch.some((index: object) => "indexBuildInfo" in index);
  }, "the build to begin");
  return { built, failures };
}

async function expectBuilt(store: DocumentStore): Promise<void> {
  const { cursor } = await store.database.command({ listIndexes: "things", includeIndexBuildInfo: true });
  expect(cursor.firstBatch.some((index: object) => "indexBuildInfo" in index)).toBe(false);
  expect(cursor.firstBatch).toHaveLength(1 + keys.length);
}

describe("a start whose indexes are being built", () => {
  it("waits when its connections fall silent", async () => {
    await using store = await filledStore();
    const { built, failures } = await building(store);
    const { mongodb } = parts.processes;
    mongodb?.kill("SIGSTOP");
    try {
      await eventually(() => failures.length > 0, "the command to be given up");
    } finally {
      mongodb?.kill("SIGCONT");
    }
    await built;
    await expectBuilt(store);
  }, 180_000);

  it("waits when the database is killed and started again", async () => {
    await using store = await filledStore();
    const { built, failures } = await building(store);
    await parts.kill("mongodb");
    await parts.restart("mongodb");
    await built;
    expect(failures.length).toBeGreaterThan(0);
    await expectBuilt(store);
  }, 180_000);

  it("finds them built when an earlier start was ended in the middle", async () => {
    await using store = await filledStore();
    const { databaseName: database } = store.database;
    const earlier = await connectDocumentStore({ uri: parts.mongodbUri, database, appName: "earlier" });
    const { built } = await building(earlier, 0);
    await earlier.close();
    await createIndexes(store, [plan]);
    await expect(built).rejects.toThrow("the database is not available");
    await expectBuilt(store);
  }, 180_000);
});
