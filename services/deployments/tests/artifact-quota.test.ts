import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { type ClientSession, withTransaction } from "@aiplatform/document-store";
import { Quotas } from "@aiplatform/quotas";
import { failureOf, type TestCaller } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ArtifactBytes } from "../src/artifacts/artifact-bytes.ts";
import { ArtifactMarkStore } from "../src/artifacts/artifact-mark-store.ts";
import { ArtifactTooLargeError, sha256Of } from "../src/artifacts/artifact-store.ts";
import { CountedArtifacts } from "../src/artifacts/counted-artifacts.ts";
import { DirectoryStore } from "../src/artifacts/directory-store.ts";
import { DirectoryUploads } from "../src/artifacts/directory-uploads.ts";
import { StoredArtifactStore } from "../src/artifacts/stored-artifact-store.ts";
import { DeploymentsRig } from "./deployments-rig.ts";
import { someBytes, uploadPieces } from "./upload-pieces.ts";

let rig: DeploymentsRig;
/** Added to the time of day. */
let later = 0;
const dayMs = 86_400_000;
beforeAll(async () => {
  const settings = { QUOTAS: JSON.stringify({ artifact_bytes: 1_000 }) };
  rig = await DeploymentsRig.start({ replicas: 2, settings, clock: () => new Date(Date.now() + later) });
});
afterAll(() => rig?.[Symbol.asyncDispose]());

/** An organisation that has nothing yet. */
const newOrganisation = (): TestCaller => ({ organisationId: randomUUID() });
const models = (caller: TestCaller, replica = 0) => rig.as(caller, replica).client(ModelService);
const upload = (caller: TestCaller, bytes: Uint8Array, replica = 0) =>
  models(caller, replica).uploadArtifact(uploadPieces(bytes, { pieceBytes: 100 }));

/** What counts, as the refusal of an artifact that never fits says it. */
async function artifactBytes(caller: TestCaller): Promise<number> {
  return Number((await failureOf(upload(caller, someBytes(1_001)))).metadata["used"]);
}

/** Files of an organisation: whole artifacts, and uploads that are not. */
async function filesOf({ organisationId = "" }: TestCaller): Promise<number> {
  const root = rig.home.ARTIFACTS_DIRECTORY;
  const folders = [join(root, organisationId), join(root, ".uploads", organisationId)];
  const listed = folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []));
  return (await Promise.all(listed)).flat().filter((entry) => entry.isFile()).length;
}

describe("an organisation whose artifacts take almost as many bytes as its quota", () => {
  it("is refused an upload that does not fit, with both figures, before a byte of it is written", async () => {
    const acme = newOrganisation();
    const first = someBytes(600);
    await upload(acme, first);
    expect(await failureOf(upload(acme, someBytes(401)))).toEqual({
      code: Code.PermissionDenied,
      reason: "QUOTA_EXCEEDED",
      message:
        "The organisation has 600 of 1000 bytes of artifacts, and this needs 401 more. Use artifacts that are stored " +
        "already, or ask the operator for a higher quota.",
      metadata: { quota: "artifact_bytes", limit: "1000", used: "600", asked: "401" },
      fields: [],
    });
    expect(await filesOf(acme)).toBe(1);
    await upload(acme, someBytes(400));
    // What is stored already takes nothing.
    await upload(acme, first);
    expect(await artifactBytes(acme)).toBe(1_000);
  });

  it("is refused a deployment whose files do not fit, and none of them is stored", async () => {
    const acme = newOrganisation();
    await upload(acme, someBytes(990));
    const wanted = {
      name: "Prices",
      servingBundle: {
        schemaVersion: "serving.v1",
        runtime: { type: "prebuilt", value: "node" },
        interface: { input: { text: "{}" }, output: { text: "{}" } },
        name: "prices",
        artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
      },
      artifacts: [
        { name: "handler", content: { text: '"export default (input) => input"' }, contentType: "text/javascript" },
      ],
    };
    const refused = await failureOf(rig.as(acme).client(DeploymentService).createCustomServingDeployment(wanted));
    expect(refused).toMatchObject({ code: Code.PermissionDenied, reason: "QUOTA_EXCEEDED" });
    expect(refused.metadata).toMatchObject({ quota: "artifact_bytes", limit: "1000", used: "990" });
    expect(await filesOf(acme)).toBe(1);
  });

  it("has no more than that when uploads come at the same time, at two replicas", async () => {
    const acme = newOrganisation();
    const uploads = Array.from({ length: 16 }, (_, index) => upload(acme, someBytes(100), index % 2));
    const outcomes = await Promise.allSettled(uploads);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect([await artifactBytes(acme), await filesOf(acme)]).toEqual([1_000, 10]);
  });
});

describe("an upload that has begun", () => {
  it("has its room, and goes on to its end in a full organisation", async () => {
    const acme = newOrganisation();
    const bytes = someBytes(700);
    const sha256 = sha256Of(bytes);
    const early = uploadPieces(bytes.subarray(0, 200), { sha256, sizeBytes: 700 });
    expect((await failureOf(models(acme).uploadArtifact(early))).reason).toBe("UPLOAD_UNFINISHED");
    expect(await artifactBytes(acme)).toBe(700);
    expect((await failureOf(upload(acme, someBytes(301)))).reason).toBe("QUOTA_EXCEEDED");
    await upload(acme, someBytes(300));
    await models(acme, 1).uploadArtifact(uploadPieces(bytes, { from: 200 }));
    expect(await artifactBytes(acme)).toBe(1_000);
  });

  it.each<[string, (acme: TestCaller) => Promise<unknown>, string]>([
    [
      "whose bytes are not those of the digest",
      (acme) => models(acme).uploadArtifact(uploadPieces(someBytes(900), { sha256: sha256Of(someBytes(900)) })),
      "ARTIFACT_DIGEST",
    ],
    [
      "that brings nothing",
      (acme) => models(acme).uploadArtifact(uploadPieces(someBytes(900), { from: 10 })),
      "UPLOAD_OFFSET",
    ],
  ])("%s gives its room back", async (_title, send, reason) => {
    const acme = newOrganisation();
    expect((await failureOf(send(acme))).reason).toBe(reason);
    expect(await artifactBytes(acme)).toBe(0);
    await upload(acme, someBytes(1_000));
  });
});

describe("an artifact that is larger than artifacts may be", () => {
  /** As replicas have them, where artifacts have 500 bytes at most. */
  function countedArtifacts() {
    const { store, home } = rig;
    const limits = { maxBytes: 500, maxArtifactBytes: 500 };
    const places = {
      artifacts: new DirectoryStore(home.ARTIFACTS_DIRECTORY, limits),
      uploads: new DirectoryUploads(home.ARTIFACTS_DIRECTORY),
      storedArtifacts: new StoredArtifactStore(store),
      artifactMarks: new ArtifactMarkStore(store),
      clock: () => new Date(Date.now() + later),
    };
    const artifactBytes = new ArtifactBytes(places);
    const usage = { artifact_bytes: (id: string, session?: ClientSession) => artifactBytes.of(id, session) };
    const quotas = new Quotas(store, { config: {}, usage });
    const transaction = <R>(work: (session: ClientSession) => Promise<R>) => withTransaction(store, work);
    return new CountedArtifacts({ ...places, ...limits, artifactBytes, quotas, transaction });
  }

  it("gives its room back, since it never fits", async () => {
    const acme = newOrganisation();
    const bytes = someBytes(600);
    const wanted = { sha256: sha256Of(bytes), sizeBytes: 600 };
    const piece = async function* () {
      yield bytes;
    };
    const put = countedArtifacts().put(acme.organisationId ?? "", wanted, piece());
    await expect(put).rejects.toThrow(ArtifactTooLargeError);
    expect(await artifactBytes(acme)).toBe(0);
  });
});

describe("the bytes of an organisation's artifacts", () => {
  it("are those that were there before they were counted, too", async () => {
    const acme = newOrganisation();
    await upload(acme, someBytes(600));
    for (const name of ["artifacts", "artifact_counts"]) {
      await rig.store.database.collection(name).deleteMany({ organisation_id: acme.organisationId });
    }
    expect((await failureOf(upload(acme, someBytes(401)))).metadata).toMatchObject({ used: "600" });
    expect(await artifactBytes(acme)).toBe(600);
  });

  it("follow what is stored, a day later at the latest", async () => {
    const acme = newOrganisation();
    await upload(acme, someBytes(600));
    const early = uploadPieces(someBytes(200).subarray(0, 100), { sha256: sha256Of(someBytes(50)), sizeBytes: 200 });
    expect((await failureOf(models(acme).uploadArtifact(early))).reason).toBe("UPLOAD_UNFINISHED");
    expect(await artifactBytes(acme)).toBe(800);
    for (const folder of ["", ".uploads"]) {
      await rm(join(rig.home.ARTIFACTS_DIRECTORY, folder, acme.organisationId ?? ""), { recursive: true });
    }
    expect(await artifactBytes(acme)).toBe(800);
    later += 1.5 * dayMs;
    expect(await artifactBytes(acme)).toBe(0);
  });
});
