import { randomUUID } from "node:crypto";
import { mkdtemp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ModelService, ModelVersionStatus } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { DatasetCreatedSchema, DatasetDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { connectEventStream, eventRecord } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { KnownDatasetStore } from "../src/projections/known-dataset-store.ts";
import type { DeploymentsRig } from "./deployments-rig.ts";
import { type Result, ResultsRig } from "./results-rig.ts";
import { uploadPieces } from "./upload-pieces.ts";

let told: ResultsRig;
let rig: DeploymentsRig;
let models: Client<typeof ModelService>;
let folder: string;
let results: string;

beforeAll(async () => {
  told = await ResultsRig.start();
  ({ rig, models, folder, results } = told);
});
afterAll(() => told?.[Symbol.asyncDispose]());

describe("the result of a run", () => {
  it("becomes a ready version of its pipeline's model, and says where it came from", async () => {
    const pipelineId = await told.newPipeline("Digits");
    const checkpointId = randomUUID();
    const runId = await told.complete({ pipelineId, ...(await told.resultFile("a model")), checkpointId });
    const version = await told.versionOf(runId, pipelineId);
    expect(version).toMatchObject({ number: 1, status: ModelVersionStatus.READY, format: "onnx", sizeBytes: 7n });
    expect(version.source).toMatchObject({ pipelineId, runId, jobName: "train", checkpointId });
    const model = await told.modelOf(pipelineId);
    expect(model).toMatchObject({ name: "Digits", newestReadyVersionId: version.id });
    const event = await eventually(() => told.resolved.find(({ modelVersionId }) => modelVersionId === version.id));
    expect(event).toMatchObject({ status: "ready", versionStatus: ModelVersionStatus.READY, detail: "" });
  });

  it("is one version, however often and at whichever replica it is told of", async () => {
    const pipelineId = await told.newPipeline("Once");
    const runId = await told.complete({ pipelineId, ...(await told.resultFile("told often")) }, 10);
    await told.versionOf(runId, pipelineId);
    const next = await told.complete({ pipelineId, ...(await told.resultFile("told afterwards")) });
    expect((await told.versionOf(next, pipelineId)).number).toBe(2);
  });

  it("that was uploaded is taken from the store", async () => {
    const bytes = Buffer.from("uploaded by its trainer");
    const { artifactSha256 } = await models.uploadArtifact(uploadPieces(bytes));
    const pipelineId = await told.newPipeline("Uploaded");
    const runId = await told.complete({ pipelineId, artifactUri: `artifact:sha256:${artifactSha256}`, artifactSha256 });
    expect((await told.versionOf(runId, pipelineId)).status).toBe(ModelVersionStatus.READY);
  });

  it("of a pipeline with a name that is taken goes to a model with a number behind the name", async () => {
    const [first, second] = [await told.newPipeline("Twins"), await told.newPipeline("Twins")];
    await told.complete({ pipelineId: first, ...(await told.resultFile("first twin")) });
    expect((await told.modelOf(first)).name).toBe("Twins");
    await told.complete({ pipelineId: second, ...(await told.resultFile("second twin")) });
    expect((await told.modelOf(second)).name).toBe("Twins (2)");
  });

  it("of a pipeline that nothing is known of goes to a model that is called after its id", async () => {
    const pipelineId = randomUUID();
    await told.complete({ pipelineId, ...(await told.resultFile("of old times")) });
    expect((await told.modelOf(pipelineId)).name).toBe(`pipeline ${pipelineId}`);
  }, 60_000);

  it("that is none makes no version", async () => {
    const pipelineId = await told.newPipeline("Nothing");
    await told.complete({ pipelineId, artifactUri: "", artifactSha256: "", artifactFormat: "" });
    const runId = await told.complete({ pipelineId, ...(await told.resultFile("something")) });
    expect((await told.versionOf(runId, pipelineId)).number).toBe(1);
  });
});

describe("a result that cannot be taken over", () => {
  const elsewhere = async () => {
    const path = join(folder, `outside ${randomUUID()}`);
    return { path, ...(await told.resultFile("outside", path)) };
  };
  const outside = "the artifact lies outside of the directories from which results are taken over";
  const gone = expect.stringMatching(/^the service that takes results over does not see the artifact's file;/);
  const sha256 = sha256Of(Buffer.from("never stored"));

  it.each<[string, () => Promise<Omit<Result, "pipelineId">>, string]>([
    [
      "other bytes",
      async () => ({ ...(await told.resultFile("these bytes")), artifactSha256: sha256 }),
      "the artifact is not what the run announced: the bytes are not those of the digest",
    ],
    [
      "too many bytes",
      () => told.resultFile("x".repeat(1_000_001)),
      "The artifact is larger than 1000000 bytes, which is what an artifact may have",
    ],
    ["a file elsewhere", elsewhere, outside],
    [
      "a way out of the directory",
      async () => ({ ...(await elsewhere()), artifactUri: `${pathToFileURL(results)}/../../../etc/hostname` }),
      outside,
    ],
    [
      "a link out of the directory",
      async () => {
        const { path, ...result } = await elsewhere();
        const link = join(results, randomUUID());
        await symlink(path, link);
        return { ...result, artifactUri: pathToFileURL(link).href };
      },
      outside,
    ],
    [
      "a file in a folder that is a link out of the directory",
      async () => {
        const other = await mkdtemp(join(folder, "other-"));
        const link = join(results, randomUUID());
        await symlink(other, link);
        const { artifactSha256 } = await told.resultFile("outside", join(other, "model"));
        return { artifactSha256, artifactUri: pathToFileURL(join(link, "model")).href };
      },
      outside,
    ],
    ["a directory", async () => ({ artifactSha256: sha256, artifactUri: pathToFileURL(results).href }), outside],
    [
      "a folder inside",
      async () => {
        const path = await mkdtemp(join(results, "folder-"));
        return { artifactSha256: sha256, artifactUri: pathToFileURL(path).href };
      },
      "the artifact is no file",
    ],
    [
      "a file that is gone",
      async () => ({ artifactSha256: sha256, artifactUri: pathToFileURL(join(results, "gone")).href }),
      gone,
    ],
    [
      "an address of another machine",
      async () => ({ artifactSha256: sha256, artifactUri: "https://models.example/model.onnx" }),
      "artifacts are not fetched from https: addresses; upload it, and name it as artifact:sha256:<its digest>",
    ],
    [
      "a file of another machine",
      async () => ({ artifactSha256: sha256, artifactUri: "file://elsewhere/model.onnx" }),
      "the address of the artifact is that of no file on this machine",
    ],
    [
      "no address",
      async () => ({ artifactSha256: sha256, artifactUri: "model.onnx" }),
      "the address of the artifact is none",
    ],
    [
      "an upload that never came",
      async () => ({ artifactSha256: sha256, artifactUri: `artifact:sha256:${sha256}` }),
      "no artifact of that digest was uploaded",
    ],
    [
      "a digest that is none",
      async () => ({ ...(await told.resultFile("some bytes")), artifactSha256: "../../secret" }),
      "the digest of the artifact is not a SHA-256",
    ],
  ])(
    "because it is %s fails, and says so",
    async (what, result, detail) => {
      const pipelineId = await told.newPipeline(`failing ${what}`);
      const runId = await told.complete({ pipelineId, ...(await result()) });
      const version = await told.versionOf(runId, pipelineId);
      expect([version.status, version.statusDetail]).toEqual([ModelVersionStatus.FAILED, detail]);
      expect((await told.modelOf(pipelineId)).newestReadyVersionId).toBeUndefined();
      const event = await eventually(() => told.resolved.find(({ modelVersionId }) => modelVersionId === version.id));
      expect(event).toMatchObject({ status: "failed", detail });
    },
    30_000,
  );

  it("leaves the newest ready version what it was", async () => {
    const pipelineId = await told.newPipeline("First well, then ill");
    const good = await told.complete({ pipelineId, ...(await told.resultFile("well")) });
    const { id } = await told.versionOf(good, pipelineId);
    const bad = await told.complete({ pipelineId, ...(await told.resultFile("ill")), artifactSha256: sha256 });
    expect((await told.versionOf(bad, pipelineId)).number).toBe(2);
    expect((await told.modelOf(pipelineId)).newestReadyVersionId).toBe(id);
  });
});

describe("a version whose artifact could not be had stayed failed for ever", () => {
  it("is fetched again from where the run said it lies, with its number and source", async () => {
    const pipelineId = await told.newPipeline("Mounted late");
    const text = "on a volume that was not mounted";
    const path = join(results, randomUUID());
    const artifact = { artifactUri: pathToFileURL(path).href, artifactSha256: sha256Of(Buffer.from(text)) };
    const runId = await told.complete({ pipelineId, ...artifact });
    const failed = await told.versionOf(runId, pipelineId);
    expect(failed.status).toBe(ModelVersionStatus.FAILED);
    await told.resultFile(text, path);
    const { version } = await models.retryModelVersion({ modelVersionId: failed.id });
    expect(version).toMatchObject({ id: failed.id, status: ModelVersionStatus.PENDING });
    expect(version?.statusDetail).toBeUndefined();
    const ready = await told.versionOf(runId, pipelineId);
    expect(ready).toMatchObject({ id: failed.id, number: 1, status: ModelVersionStatus.READY, source: { runId } });
    expect((await told.modelOf(pipelineId)).newestReadyVersionId).toBe(failed.id);
    expect((await models.retryModelVersion({ modelVersionId: failed.id })).version).toEqual(ready);
  }, 30_000);

  it("is taken from the store once it was uploaded, also where nothing was kept of its address", async () => {
    const pipelineId = await told.newPipeline("Uploaded late");
    const bytes = Buffer.from("uploaded by hand, later");
    const result = { artifactUri: "https://models.example/model.onnx", artifactSha256: sha256Of(bytes) };
    const runId = await told.complete({ pipelineId, ...result });
    const failed = await told.versionOf(runId, pipelineId);
    const stored = rig.store.database.collection<{ _id: string }>("model_versions");
    await stored.updateOne({ _id: failed.id }, { $unset: { ingestion: "" } });
    await models.uploadArtifact(uploadPieces(bytes));
    await models.retryModelVersion({ modelVersionId: failed.id });
    expect((await told.versionOf(runId, pipelineId)).status).toBe(ModelVersionStatus.READY);
  });

  it("fails at once with the true cause where no files are taken over", async () => {
    await using bare = await ResultsRig.start({ replicas: 1, takesFiles: false });
    const pipelineId = await bare.newPipeline("Bare");
    const runId = await bare.complete({ pipelineId, ...(await bare.resultFile("not shared")) });
    const version = await bare.versionOf(runId, pipelineId);
    expect(version.status).toBe(ModelVersionStatus.FAILED);
    expect(version.statusDetail).toMatch(
      /^this installation takes over no files \(ARTIFACT_SOURCES is empty\); have the trainer upload/,
    );
  }, 30_000);
});

describe("a dataset", () => {
  it("is known from its creation to its end, in its organisation", async () => {
    const known = new KnownDatasetStore(rig.store);
    const [datasetId, other] = [randomUUID(), randomUUID()];
    const fields = { organisationId: rig.acme, datasetId };
    const created = create(DatasetCreatedSchema, { ...fields, name: "Table" });
    const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
    await using content = await connectEventStream({
      servers,
      keys: serviceKeys("content"),
      name: "results tests",
      streamName,
    });
    await eventually(() => content.incarnation());
    await content.publish([eventRecord(DatasetCreatedSchema, created, told.about(datasetId))]);
    await eventually(async () => (await known.missing(rig.acme, [datasetId])).length === 0);
    expect(await known.missing(rig.acme, [other, datasetId])).toEqual([other]);
    expect(await known.missing(rig.globex, [datasetId])).toEqual([datasetId]);
    const deleted = create(DatasetDeletedSchema, fields);
    await content.publish([eventRecord(DatasetDeletedSchema, deleted, told.about(datasetId))]);
    await eventually(async () => (await known.missing(rig.acme, [datasetId])).length === 1);
  });
});
