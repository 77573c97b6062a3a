import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ModelService, ModelVersionStatus } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { DatasetCreatedSchema, DatasetDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import {
  type ModelVersionResolved,
  ModelVersionResolvedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { JobCompletedSchema, PipelineCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectEventStream, decodeEvent, type EventStream, eventRecord, eventSubject } from "@aiplatform/event-stream";
import { eventually, ServiceProcess, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { KnownDatasetStore } from "../src/projections/known-dataset-store.ts";
import { DeploymentsRig, program } from "./deployments-rig.ts";
import { uploadPieces } from "./upload-pieces.ts";

let rig: DeploymentsRig;
let models: Client<typeof ModelService>;
let stream: EventStream;
let folder: string;
let results: string;
const resolved: ModelVersionResolved[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "results-"));
  results = join(folder, "results");
  await mkdir(results);
  const settings = { ARTIFACT_SOURCES: results, MAX_ARTIFACT_BYTES: "1000000" };
  rig = await DeploymentsRig.start({ replicas: 2, settings });
  models = rig.as().client(ModelService);
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  stream = await connectEventStream({ servers, keys: serviceKeys("training"), name: "results tests", streamName });
  await eventually(() =>
    stream.ping().then(
      () => true,
      () => false,
    ),
  );
  stream.listen(eventSubject(ModelVersionResolvedSchema), ({ data }) => {
    resolved.push(decodeEvent(ModelVersionResolvedSchema, data));
  });
});
afterAll(async () => {
  await stream?.close();
  await rig?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const about = (entityId: string) => ({ organisationId: rig.acme, entityId, time: new Date() });

async function newPipeline(name: string): Promise<string> {
  const pipelineId = randomUUID();
  const fields = { organisationId: rig.acme, pipelineId, name };
  await stream.publish([eventRecord(PipelineCreatedSchema, create(PipelineCreatedSchema, fields), about(pipelineId))]);
  return pipelineId;
}

interface Result {
  pipelineId: string;
  runId?: string;
  artifactUri: string;
  artifactSha256: string;
  checkpointId?: string;
  artifactFormat?: string;
}

/** Tells that a job has completed; answers its run. */
async function complete({ runId = randomUUID(), ...result }: Result, times = 1): Promise<string> {
  const fields = { organisationId: rig.acme, runId, jobName: "train", artifactFormat: "onnx", ...result };
  const message = create(JobCompletedSchema, fields);
  const records = Array.from({ length: times }, () => eventRecord(JobCompletedSchema, message, about(runId)));
  await stream.publish(records);
  return runId;
}

/** The file of a result, with what an event says of it. */
async function resultFile(text: string, path = join(results, randomUUID())) {
  await writeFile(path, text);
  return { artifactUri: pathToFileURL(path).href, artifactSha256: sha256Of(Buffer.from(text)) };
}

async function modelOf(pipelineId: string) {
  return eventually(async () => {
    const { models: all } = await models.listModels({ limit: 1_000 });
    return all.find((model) => model.pipelineId === pipelineId);
  });
}

async function versionOf(runId: string, pipelineId: string) {
  const { id: modelId } = await modelOf(pipelineId);
  return eventually(async () => {
    const { versions } = await models.listModelVersions({ modelId });
    const version = versions.find(({ source }) => source?.runId === runId);
    return version && version.status !== ModelVersionStatus.PENDING && version;
  });
}

describe("the result of a run", () => {
  it("becomes a ready version of its pipeline's model, and says where it came from", async () => {
    const pipelineId = await newPipeline("Digits");
    const checkpointId = randomUUID();
    const runId = await complete({ pipelineId, ...(await resultFile("a model")), checkpointId });
    const version = await versionOf(runId, pipelineId);
    expect(version).toMatchObject({ number: 1, status: ModelVersionStatus.READY, format: "onnx", sizeBytes: 7n });
    expect(version.source).toMatchObject({ pipelineId, runId, jobName: "train", checkpointId });
    const model = await modelOf(pipelineId);
    expect(model).toMatchObject({ name: "Digits", newestReadyVersionId: version.id });
    const told = await eventually(() => resolved.find(({ modelVersionId }) => modelVersionId === version.id));
    expect(told).toMatchObject({ status: "ready", versionStatus: ModelVersionStatus.READY, detail: "" });
  });

  it("is one version, however often and at whichever replica it is told of", async () => {
    const pipelineId = await newPipeline("Once");
    const runId = await complete({ pipelineId, ...(await resultFile("told often")) }, 10);
    await versionOf(runId, pipelineId);
    const next = await complete({ pipelineId, ...(await resultFile("told afterwards")) });
    expect((await versionOf(next, pipelineId)).number).toBe(2);
  });

  it("that was uploaded is taken from the store", async () => {
    const bytes = Buffer.from("uploaded by its trainer");
    const { artifactSha256 } = await models.uploadArtifact(uploadPieces(bytes));
    const pipelineId = await newPipeline("Uploaded");
    const runId = await complete({ pipelineId, artifactUri: `artifact:sha256:${artifactSha256}`, artifactSha256 });
    expect((await versionOf(runId, pipelineId)).status).toBe(ModelVersionStatus.READY);
  });

  it("of a pipeline with a name that is taken goes to a model with a number behind the name", async () => {
    const [first, second] = [await newPipeline("Twins"), await newPipeline("Twins")];
    await complete({ pipelineId: first, ...(await resultFile("first twin")) });
    expect((await modelOf(first)).name).toBe("Twins");
    await complete({ pipelineId: second, ...(await resultFile("second twin")) });
    expect((await modelOf(second)).name).toBe("Twins (2)");
  });

  it("of a pipeline that nothing is known of goes to a model that is called after its id", async () => {
    const pipelineId = randomUUID();
    await complete({ pipelineId, ...(await resultFile("of old times")) });
    expect((await modelOf(pipelineId)).name).toBe(`pipeline ${pipelineId}`);
  }, 60_000);

  it("that is none makes no version", async () => {
    const pipelineId = await newPipeline("Nothing");
    await complete({ pipelineId, artifactUri: "", artifactSha256: "", artifactFormat: "" });
    const runId = await complete({ pipelineId, ...(await resultFile("something")) });
    expect((await versionOf(runId, pipelineId)).number).toBe(1);
  });
});

describe("a result that cannot be taken over", () => {
  const elsewhere = async () => {
    const path = join(folder, `outside ${randomUUID()}`);
    return { path, ...(await resultFile("outside", path)) };
  };
  const outside = "the artifact lies outside of the directories from which results are taken over";
  const gone = expect.stringMatching(/^the service that takes results over does not see the artifact's file;/);
  const sha256 = sha256Of(Buffer.from("never stored"));

  it.each<[string, () => Promise<Omit<Result, "pipelineId">>, string]>([
    [
      "other bytes",
      async () => ({ ...(await resultFile("these bytes")), artifactSha256: sha256 }),
      "the artifact is not what the run announced: the bytes are not those of the digest",
    ],
    [
      "too many bytes",
      () => resultFile("x".repeat(1_000_001)),
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
        const { artifactSha256 } = await resultFile("outside", join(other, "model"));
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
      async () => ({ ...(await resultFile("some bytes")), artifactSha256: "../../secret" }),
      "the digest of the artifact is not a SHA-256",
    ],
  ])(
    "because it is %s fails, and says so",
    async (what, result, detail) => {
      const pipelineId = await newPipeline(`failing ${what}`);
      const runId = await complete({ pipelineId, ...(await result()) });
      const version = await versionOf(runId, pipelineId);
      expect([version.status, version.statusDetail]).toEqual([ModelVersionStatus.FAILED, detail]);
      expect((await modelOf(pipelineId)).newestReadyVersionId).toBeUndefined();
      const told = await eventually(() => resolved.find(({ modelVersionId }) => modelVersionId === version.id));
      expect(told).toMatchObject({ status: "failed", detail });
    },
    30_000,
  );

  it("leaves the newest ready version what it was", async () => {
    const pipelineId = await newPipeline("First well, then ill");
    const good = await complete({ pipelineId, ...(await resultFile("well")) });
    const { id } = await versionOf(good, pipelineId);
    const bad = await complete({ pipelineId, ...(await resultFile("ill")), artifactSha256: sha256 });
    expect((await versionOf(bad, pipelineId)).number).toBe(2);
    expect((await modelOf(pipelineId)).newestReadyVersionId).toBe(id);
  });
});

describe("a version whose artifact could not be had stayed failed for ever", () => {
  it("is fetched again from where the run said it lies, with its number and source", async () => {
    const pipelineId = await newPipeline("Mounted late");
    const text = "on a volume that was not mounted";
    const path = join(results, randomUUID());
    const artifact = { artifactUri: pathToFileURL(path).href, artifactSha256: sha256Of(Buffer.from(text)) };
    const runId = await complete({ pipelineId, ...artifact });
    const failed = await versionOf(runId, pipelineId);
    expect(failed.status).toBe(ModelVersionStatus.FAILED);
    await resultFile(text, path);
    const { version } = await models.retryModelVersion({ modelVersionId: failed.id });
    expect(version).toMatchObject({ id: failed.id, status: ModelVersionStatus.PENDING });
    expect(version?.statusDetail).toBeUndefined();
    const ready = await versionOf(runId, pipelineId);
    expect(ready).toMatchObject({ id: failed.id, number: 1, status: ModelVersionStatus.READY, source: { runId } });
    expect((await modelOf(pipelineId)).newestReadyVersionId).toBe(failed.id);
    expect((await models.retryModelVersion({ modelVersionId: failed.id })).version).toEqual(ready);
  }, 30_000);

  it("is taken from the store once it was uploaded, also where nothing was kept of its address", async () => {
    const pipelineId = await newPipeline("Uploaded late");
    const bytes = Buffer.from("uploaded by hand, later");
    const result = { artifactUri: "https://models.example/model.onnx", artifactSha256: sha256Of(bytes) };
    const runId = await complete({ pipelineId, ...result });
    const failed = await versionOf(runId, pipelineId);
    const stored = rig.store.database.collection<{ _id: string }>("model_versions");
    await stored.updateOne({ _id: failed.id }, { $unset: { ingestion: "" } });
    await models.uploadArtifact(uploadPieces(bytes));
    await models.retryModelVersion({ modelVersionId: failed.id });
    expect((await versionOf(runId, pipelineId)).status).toBe(ModelVersionStatus.READY);
  });

  it("fails at once with the true cause where no files are taken over", async () => {
    await using bare = await DeploymentsRig.start();
    const { NATS_URL: servers, NATS_STREAM: streamName } = bare.home;
    await using events = await connectEventStream({
      servers,
      keys: serviceKeys("training"),
      name: "results tests",
      streamName,
    });
    await eventually(() =>
      events.ping().then(
        () => true,
        () => false,
      ),
    );
    const [runId, pipelineId] = [randomUUID(), randomUUID()];
    const result = { pipelineId, runId, jobName: "train", artifactFormat: "onnx", ...(await resultFile("not shared")) };
    const message = create(JobCompletedSchema, { organisationId: bare.acme, ...result });
    const facts = { organisationId: bare.acme, entityId: runId, time: new Date() };
    const created = create(PipelineCreatedSchema, { organisationId: bare.acme, pipelineId, name: "Bare" });
    await events.publish([
      eventRecord(PipelineCreatedSchema, created, facts),
      eventRecord(JobCompletedSchema, message, facts),
    ]);
    const client = bare.as().client(ModelService);
    const version = await eventually(async () => {
      const [model] = (await client.listModels({})).models;
      const [newest] = model ? (await client.listModelVersions({ modelId: model.id })).versions : [];
      return newest?.status === ModelVersionStatus.FAILED && newest;
    });
    expect(version.statusDetail).toMatch(
      /^this installation takes over no files \(ARTIFACT_SOURCES is empty\); have the trainer upload/,
    );
  }, 30_000);
});

describe("services that are killed again and again", () => {
  it("register each result once, and take all of them over in the end", async () => {
    await using service = new ServiceProcess({ program, home: rig.home, settings: { ARTIFACT_SOURCES: results } });
    const pipelineId = await newPipeline("Killed");
    const runs: string[] = [];
    for (let round = 0; round < 2; round++) {
      await service.start();
      for (let job = 0; job < 3; job++) {
        runs.push(await complete({ pipelineId, ...(await resultFile(`killed ${round} ${job}`)) }, 2));
      }
      await service.kill();
    }
    const versions = [];
    for (const runId of runs) versions.push(await versionOf(runId, pipelineId));
    expect(new Set(versions.map(({ number }) => number))).toEqual(new Set(runs.map((_, index) => index + 1)));
    expect(versions.map(({ status }) => status)).toEqual(runs.map(() => ModelVersionStatus.READY));
    const ids = new Set(versions.map(({ id }) => id));
    // One that was killed between announcing and noting that may have announced it twice: under one id, which the stream knows.
    const told = () => new Set(resolved.map(({ modelVersionId }) => modelVersionId));
    await eventually(() => [...ids].every((id) => told().has(id)));
    expect(service.kills).toBe(2);
  }, 240_000);
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
    await content.publish([eventRecord(DatasetCreatedSchema, created, about(datasetId))]);
    await eventually(async () => (await known.missing(rig.acme, [datasetId])).length === 0);
    expect(await known.missing(rig.acme, [other, datasetId])).toEqual([other]);
    expect(await known.missing(rig.globex, [datasetId])).toEqual([datasetId]);
    const deleted = create(DatasetDeletedSchema, fields);
    await content.publish([eventRecord(DatasetDeletedSchema, deleted, about(datasetId))]);
    await eventually(async () => (await known.missing(rig.acme, [datasetId])).length === 1);
  });
});
