import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox } from "@aiplatform/serving-runtime/sandbox";
import { eventually } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DatasetVersion } from "../src/dataset-versions/dataset-version.ts";
import type { VersionDocument } from "../src/dataset-versions/version-document.ts";
import type { VersionState } from "../src/dataset-versions/version-state.ts";
import { DatasetVersionStore } from "../src/dataset-versions/version-store.ts";
import { DataRig } from "./data-rig.ts";
import { storedVersion } from "./stored-versions.ts";

let rig: DataRig;
const cleanUp = new AsyncDisposableStack();
beforeAll(async () => {
  const directory = cleanUp.use(await mkdtempDisposable(join(tmpdir(), "data-"))).path;
  const { kind: DATA_SANDBOX } = await findSandbox();
  rig = cleanUp.use(await DataRig.start({ settings: { DATA_DIRECTORY: directory, DATA_SANDBOX } }));
}, 180_000);
afterAll(() => cleanUp.disposeAsync());

const documents = () => rig.store.database.collection<VersionDocument>("dataset_versions");
const data = { columns: [], rowCount: 1, sizeBytes: 1, sha256: "0".repeat(64) };
const file = { sha256: "1".repeat(64), name: "a.csv", format: "csv" as const, sizeBytes: 4_000 };

describe("the worker of versions", () => {
  it("never claims a version that is settled again", async () => {
    const settled: readonly VersionState[] = ["ready", "failed", "purged"];
    const organisationId = randomUUID();
    const before = await Promise.all(settled.map((state) => storedVersion(rig.store, { organisationId, state, data })));
    const settledOnes = () =>
      documents()
        .find({ _id: { $in: before.map(({ id }) => id) } })
        .sort({ _id: 1 })
        .toArray();
    const stored = await settledOnes();
    // A version that waits is claimed, and again: no service keeps artifacts here.
    const waiting = await storedVersion(rig.store, { organisationId, state: "pending", files: [file] });
    await eventually(async () => ((await documents().findOne({ _id: waiting.id }))?.task?.attempts ?? 0) > 1);
    expect(await settledOnes()).toEqual(stored);
    const { leases } = new DatasetVersionStore(rig.store);
    const term = { holder: randomUUID(), leaseMs: 1_000, exceptIds: [waiting.id] };
    expect(await leases.claim(term)).toBeUndefined();
  });
});

describe("a version that is made by a query", () => {
  it("has failed, and says which source is gone, when that was purged before it was read", async () => {
    const organisationId = randomUUID();
    const { datasetId, id: versionId } = await storedVersion(rig.store, { organisationId, state: "purged", data });
    const sources = [{ name: "orders", datasetId, versionId, number: 3, sizeBytes: 1 }];
    const query = { sql: "SELECT * FROM orders", sources };
    const version = await storedVersion(rig.store, { organisationId, state: "pending", query });
    const look = () => new DatasetVersionStore(rig.store).get({ ...version, versionId: version.id });
    await eventually(async () => (await look()).state === "failed");
    const { problem } = await look();
    expect(problem).toMatchObject({
      rule: "source",
      message: "The data of version 3, which the query reads as orders, was removed",
    });
    expect(problem?.remedy).not.toBe("");
  });
});

/** A version that a holder reads; the service's own worker has no turn meanwhile. */
async function reading(): Promise<{
  versions: DatasetVersionStore;
  held: Parameters<DatasetVersionStore["noteProgress"]>[0];
  version: DatasetVersion;
}> {
  const versions = new DatasetVersionStore(rig.store);
  const organisationId = randomUUID();
  const version = await storedVersion(rig.store, { organisationId, state: "failed", files: [file] });
  const held = { organisationId, id: version.id, holder: randomUUID(), failures: 0 };
  const task = { not_before: new Date(Date.now() + 3_600_000), holder: held.holder, attempts: 0 };
  await documents().updateOne({ _id: version.id }, { $set: { state: "pending", task } });
  expect(await versions.beginReading(held, new Date())).toBe(true);
  return { versions, held, version };
}

describe("the progress of a version that is read", () => {
  it("is noted by who reads it, and by no other", async () => {
    const { versions, held, version } = await reading();
    const ref = { ...version, versionId: version.id };
    await versions.noteProgress(held, 1_500);
    await versions.noteProgress({ ...held, holder: randomUUID() }, 9);
    expect(await versions.get(ref)).toMatchObject({ state: "reading", bytesRead: 1_500 });
    await versions.beginReading(held, new Date());
    expect(await versions.get(ref)).toMatchObject({ bytesRead: 0 });
  });
});
