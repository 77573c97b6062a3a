import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storedReferences } from "../src/artifact-collection/artifact-references.ts";
import type { CollectDependencies } from "../src/artifact-collection/collect-artifacts.ts";
import { eraseArtifacts } from "../src/artifact-collection/erase-artifacts.ts";
import { ArtifactBytes } from "../src/artifacts/artifact-bytes.ts";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { DirectoryStore } from "../src/artifacts/directory-store.ts";
import { TrainingUnavailableError } from "../src/training-calls.ts";
import { OperationsRig } from "./operations-rig.ts";

let rig: OperationsRig;
let organisationId: string;
/** What another service refers to. */
let elsewhere: (digests: readonly string[]) => Promise<string[]>;
let erasing: CollectDependencies & { bytes: DirectoryStore };
beforeAll(async () => {
  rig = await OperationsRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose]());
beforeEach(() => {
  organisationId = randomUUID();
  elsewhere = async () => [];
  const bytes = new DirectoryStore(rig.artifactsDirectory, { maxBytes: 1_000_000 });
  erasing = {
    ...rig.dependencies,
    bytes,
    artifactBytes: new ArtifactBytes({ ...rig.dependencies, artifacts: bytes }),
    artifactReferences: [...storedReferences(rig.dependencies), (_id, digests) => elsewhere(digests)],
    retentionMs: 30 * 86_400_000,
    now: rig.store.now,
  };
});

async function stored(): Promise<string> {
  const bytes = Buffer.from(randomUUID());
  const sha256 = sha256Of(bytes);
  const piece = async function* () {
    yield bytes;
  };
  await rig.dependencies.artifacts.put(organisationId, { sha256, sizeBytes: bytes.length }, piece());
  return sha256;
}

const isThere = async (sha256: string) => (await erasing.bytes.sizeOf(organisationId, sha256)) !== undefined;

describe("erasing artifacts", () => {
  it("removes at once what nothing refers to, gives its room back, and again changes nothing", async () => {
    const sha256 = await stored();
    expect(await eraseArtifacts(erasing, organisationId, [sha256])).toEqual([]);
    expect(await isThere(sha256)).toBe(false);
    expect(await rig.dependencies.storedArtifacts.bytes(organisationId)).toBe(0);
    expect(await eraseArtifacts(erasing, organisationId, [sha256])).toEqual([]);
  });

  it("keeps what something refers to, and names it", async () => {
    const [used, unused] = [await stored(), await stored()];
    elsewhere = async () => [used];
    expect(await eraseArtifacts(erasing, organisationId, [used, unused])).toEqual([used]);
    expect([await isThere(used), await isThere(unused)]).toEqual([true, false]);
  });

  it("removes nothing when it cannot be asked what refers to them", async () => {
    const sha256 = await stored();
    elsewhere = async () => Promise.reject(new TrainingUnavailableError("it does not answer"));
    await expect(eraseArtifacts(erasing, organisationId, [sha256])).rejects.toThrow(TrainingUnavailableError);
    expect(await isThere(sha256)).toBe(true);
  });

  it("ends what an attempt has left that was killed while it removed the bytes", async () => {
    const sha256 = await stored();
    const killed = { ...erasing, bytes: { remove: () => Promise.reject(new Error("killed")) } };
    const { artifactMarks } = erasing;
    await artifactMarks.check(organisationId, { referenced: [], unreferenced: [{ sha256 }] }, erasing.now());
    const pass = { pass: randomUUID(), before: erasing.now(), now: erasing.now() };
    await artifactMarks.beginRemoval(organisationId, [{ sha256 }], pass);
    await expect(eraseArtifacts(killed, organisationId, [sha256])).rejects.toThrow("killed");
    expect(await eraseArtifacts(erasing, organisationId, [sha256])).toEqual([]);
    expect(await isThere(sha256)).toBe(false);
  });
});
