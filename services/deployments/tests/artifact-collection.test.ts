import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storedReferences } from "../src/artifact-collection/artifact-references.ts";
import {
  type CollectDependencies,
  collectArtifacts,
  tryCollecting,
} from "../src/artifact-collection/collect-artifacts.ts";
import { ArtifactBytes } from "../src/artifacts/artifact-bytes.ts";
import { ArtifactRemovalError } from "../src/artifacts/artifact-mark-store.ts";
import { ArtifactMissingError, sha256Of } from "../src/artifacts/artifact-store.ts";
import { DirectoryStore } from "../src/artifacts/directory-store.ts";
import { uploadProgress } from "../src/artifacts/receive-upload.ts";
import { createModelVersion } from "../src/models/create-model-version.ts";
import { OperationsRig } from "./operations-rig.ts";

const dayMs = 86_400_000;
const signal = new AbortController().signal;

let rig: OperationsRig;
let organisationId: string;
/** Added to the time of day. */
let laterMs: number;
/** What another service refers to. */
let elsewhere: (digests: readonly string[]) => Promise<string[]>;
let collecting: CollectDependencies & { bytes: DirectoryStore };
beforeAll(async () => {
  rig = await OperationsRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose]());
beforeEach(() => {
  organisationId = randomUUID();
  laterMs = 0;
  elsewhere = async () => [];
  const bytes = new DirectoryStore(rig.artifactsDirectory, { maxBytes: 1_000_000 });
  collecting = {
    ...rig.dependencies,
    bytes,
    artifactBytes: new ArtifactBytes({ ...rig.dependencies, artifacts: bytes }),
    artifactReferences: [...storedReferences(rig.dependencies), (_id, digests) => elsewhere(digests)],
    retentionMs: 30 * dayMs,
    now: () => new Date(Date.now() + laterMs),
  };
});

async function stored(content: string = randomUUID()): Promise<string> {
  const bytes = Buffer.from(content);
  const sha256 = sha256Of(bytes);
  const piece = async function* () {
    yield bytes;
  };
  await rig.dependencies.artifacts.put(organisationId, { sha256, sizeBytes: bytes.length }, piece());
  return sha256;
}

/** An artifact that nothing refers to since the retention and a day. */
async function aged(): Promise<string> {
  const sha256 = await stored();
  await collect();
  laterMs += 31 * dayMs;
  return sha256;
}

const collect = async () => {
  const { artifacts } = await collectArtifacts(collecting, organisationId, signal);
  return artifacts.map(({ sha256 }) => sha256);
};
const isThere = async (sha256: string) => (await collecting.bytes.sizeOf(organisationId, sha256)) !== undefined;
const usedBytes = () => rig.dependencies.storedArtifacts.bytes(organisationId);
const artifactOf = (sha256: string) => rig.store.database.collection("artifacts").findOne({ sha256 });

describe("an artifact that nothing refers to", () => {
  it("is removed once the retention is over, and no earlier, and gives its room back", async () => {
    const sha256 = await stored();
    expect(await collect()).not.toContain(sha256);
    laterMs = 29 * dayMs;
    expect(await collect()).not.toContain(sha256);
    laterMs = 31 * dayMs;
    expect((await tryCollecting(collecting, organisationId)).artifacts).toMatchObject([{ sha256, sizeBytes: 36 }]);
    expect(await isThere(sha256)).toBe(true);
    expect(await collect()).toEqual([sha256]);
    expect(await isThere(sha256)).toBe(false);
    expect(await usedBytes()).toBe(0);
    const outbox = rig.store.database.collection("outbox");
    expect(await outbox.countDocuments({ organisation_id: organisationId, entity_id: organisationId })).toBe(1);
  });

  it("is kept for the retention again when an upload finds it complete", async () => {
    const sha256 = await aged();
    expect(await uploadProgress(rig.dependencies, organisationId, sha256)).toMatchObject({ complete: true });
    expect(await collect()).toEqual([]);
    laterMs += 29 * dayMs;
    expect(await collect()).toEqual([]);
    laterMs += 2 * dayMs;
    expect(await collect()).toEqual([sha256]);
  });
});

describe("an artifact that something refers to", () => {
  it("stays: a version of a model, one of a deployment, a file of a run, what another service keeps", async () => {
    organisationId = rig.organisationId;
    const { modelId } = await rig.model();
    const [ofModel, ofDeployment, ofRun, ofTraining] = [await stored(), await stored(), await stored(), await stored()];
    await createModelVersion(rig.dependencies, { organisationId, modelId, format: "onnx", artifactSha256: ofModel });
    const deployment = await rig.deploy(modelId);
    const { store } = rig;
    await store.database
      .collection("deployment_versions")
      .updateMany(
        { deployment_id: deployment.id },
        { $set: { files: [{ path: "a", sha256: ofDeployment, sizeBytes: 36 }] } },
      );
    const run = { organisationId, pipelineId: randomUUID(), runId: randomUUID() };
    await rig.dependencies.runFiles.put({ ...run, path: "a", sha256: ofRun, sizeBytes: 36, createdAt: new Date() });
    elsewhere = async (digests) => digests.filter((digest) => digest === ofTraining);
    await collect();
    laterMs = 365 * dayMs;
    expect(await collect()).toEqual([]);
    for (const sha256 of [ofModel, ofDeployment, ofRun, ofTraining]) expect(await isThere(sha256)).toBe(true);
  });

  it("stays where that began after it was marked, also at the last moment", async () => {
    const sha256 = await aged();
    let asked = 0;
    elsewhere = async (digests) => {
      asked += 1;
      return asked < 3 ? [] : [...digests];
    };
    expect(await collect()).toEqual([]);
    expect(asked).toBe(3);
    expect(await isThere(sha256)).toBe(true);
    expect(await artifactOf(sha256)).not.toHaveProperty("removal");
    expect(await uploadProgress(rig.dependencies, organisationId, sha256)).toMatchObject({ complete: true });
  });
});

describe("while a service does not say what it refers to", () => {
  it.each([1, 2, 3])("nothing is removed, when it fails at question %i, and artifacts can be used", async (failing) => {
    const sha256 = await aged();
    let asked = 0;
    elsewhere = async () => {
      asked += 1;
      if (asked >= failing) throw new Error("it is away");
      return [];
    };
    await expect(collect()).rejects.toThrow("it is away");
    expect(await isThere(sha256)).toBe(true);
    expect(await uploadProgress(rig.dependencies, organisationId, sha256)).toMatchObject({ complete: true });
  });
});

describe("a removal that a killed process has left", () => {
  it("lets nothing use the artifact, and is ended by a pass when that process can be under way no longer", async () => {
    const sha256 = await aged();
    const killed = new Error("killed");
    const bytes = { remove: () => Promise.reject(killed) };
    await expect(collectArtifacts({ ...collecting, bytes }, organisationId, signal)).rejects.toBe(killed);
    await expect(uploadProgress(rig.dependencies, organisationId, sha256)).rejects.toThrow(ArtifactRemovalError);
    expect(await collect()).toEqual([]);
    laterMs += 600_000;
    expect(await collect()).toEqual([sha256]);
    expect(await uploadProgress(rig.dependencies, organisationId, sha256)).toMatchObject({ complete: false });
  });
});

describe("an artifact whose bytes cannot be removed", () => {
  const unremovable = new Error("this one stays");

  it("holds up no other, and stays in removal until a later pass ends it", async () => {
    const [one = "", bad = "", other = ""] = await Promise.all([stored(), stored(), stored()]);
    await collect();
    laterMs += 31 * dayMs;
    const remove = (id: string, sha256: string) =>
      sha256 === bad ? Promise.reject(unremovable) : collecting.bytes.remove(id, sha256);
    const pass = collectArtifacts({ ...collecting, bytes: { remove } }, organisationId, signal);
    await expect(pass).rejects.toBe(unremovable);
    expect([await isThere(one), await isThere(bad), await isThere(other)]).toEqual([false, true, false]);
    expect(await uploadProgress(rig.dependencies, organisationId, one)).toMatchObject({ complete: false });
    await expect(uploadProgress(rig.dependencies, organisationId, bad)).rejects.toThrow(ArtifactRemovalError);
    laterMs += 600_000;
    expect(await collect()).toEqual([bad]);
  });

  it("ends the pass when others cannot be removed either: those that were not tried can be used, and a pass removes 100 of all", async () => {
    for (let first = 0; first < 104; first += 8) await Promise.all(Array.from({ length: 8 }, () => stored()));
    await collect();
    laterMs += 31 * dayMs;
    const bytes = { remove: () => Promise.reject(unremovable) };
    await expect(collectArtifacts({ ...collecting, bytes }, organisationId, signal)).rejects.toBe(unremovable);
    const inRemoval = { organisation_id: organisationId, removal: { $exists: true } };
    expect(await rig.store.database.collection("artifacts").countDocuments(inRemoval)).toBe(3);
    laterMs += 600_000;
    expect(await collect()).toHaveLength(100);
    expect(await collect()).toHaveLength(4);
  });
});

describe("collecting while artifacts are used", () => {
  it("never removes what an upload was told to be complete, or what a version was registered with", async () => {
    organisationId = rig.organisationId;
    const { modelId } = await rig.model();
    const digests: string[] = [];
    for (let index = 0; index < 12; index++) digests.push(await stored());
    await collect();
    laterMs += 31 * dayMs;
    const use = async (artifactSha256: string, index: number): Promise<boolean> => {
      try {
        if (index % 2 === 0) return (await uploadProgress(rig.dependencies, organisationId, artifactSha256)).complete;
        const spec = { organisationId, modelId, format: "onnx", artifactSha256 };
        return (await createModelVersion(rig.dependencies, spec)).status === "ready";
      } catch (error) {
        if (error instanceof ArtifactRemovalError || error instanceof ArtifactMissingError) return false;
        throw error;
      }
    };
    const [removed, ...used] = await Promise.all([collect(), ...digests.map(use)]);
    await Promise.all([collect(), collect()]);
    for (const [index, sha256] of digests.entries()) {
      expect([used[index], await isThere(sha256)]).toEqual([!removed.includes(sha256), !removed.includes(sha256)]);
    }
  });
});
