import { randomUUID } from "node:crypto";
import {
  type CreateCustomServingDeploymentRequestSchema,
  type CustomServingDeployment,
  DeploymentService,
  DeploymentStatus,
  RolloutStatus,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { failureOf, type TestCaller } from "@aiplatform/testkit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { DeploymentsRig } from "./deployments-rig.ts";
import { uploadPieces } from "./upload-pieces.ts";

type BundleInput = Exclude<MessageInitShape<typeof CreateCustomServingDeploymentRequestSchema>, { $typeName: string }>;

let rig: DeploymentsRig;
beforeAll(async () => {
  rig = await DeploymentsRig.start({ replicas: 2 });
});
afterAll(() => rig?.[Symbol.asyncDispose]());

const deployments = (caller: TestCaller = {}, replica = 0) => rig.as(caller, replica).client(DeploymentService);
const models = () => rig.as().client(ModelService);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

async function upload(bytes: Uint8Array): Promise<string> {
  const { artifactSha256 } = await models().uploadArtifact(uploadPieces(bytes));
  return artifactSha256;
}

async function addModelVersion(modelId: string): Promise<string> {
  const artifactSha256 = await upload(Buffer.from(randomUUID()));
  const { version } = await models().createModelVersion({ modelId, format: "onnx", artifactSha256 });
  return version?.id ?? "";
}

/** A model with a version that is ready. */
async function readyModel(name: string = randomUUID()): Promise<{ modelId: string; modelVersionId: string }> {
  const { model } = await models().createModel({ name, description: "Reads digits" });
  const modelId = model?.id ?? "";
  return { modelId, modelVersionId: await addModelVersion(modelId) };
}

async function knownDataset(): Promise<string> {
  const datasetId: string = randomUUID();
  const known = rig.store.database.collection<{ _id: string; organisation_id: string }>("known_datasets");
  await known.insertOne({ _id: datasetId, organisation_id: rig.acme });
  return datasetId;
}

const handler = { name: "handler", path: "handler.mjs", kind: "file" };
const code = {
  name: "handler",
  content: { text: '"export default (input) => input"' },
  contentType: "text/javascript",
};
const bundle = {
  schemaVersion: "serving.v1",
  runtime: { type: "prebuilt", value: "node" },
  interface: { input: { text: '{"type":"object"}' }, output: { text: "{}" } },
  name: "prices",
  artifacts: [handler],
};
const wanted = (changes: BundleInput = {}): BundleInput => ({
  name: "Prices",
  servingBundle: bundle,
  artifacts: [code],
  ...changes,
});

/** Names of the events about an entity, in their order. */
async function eventsAbout(entityId: string): Promise<string[]> {
  const found = rig.store.database.collection("outbox").find({ entity_id: entityId }, { sort: { staged_at: 1 } });
  return (await found.toArray()).map(({ data_schema: schema }) => String(schema).split(".").at(-1) ?? "");
}

describe("deploying a model", () => {
  it("answers at once, with the newest ready version pinned", async () => {
    const name = `Ünique ${randomUUID()}`;
    const { modelId } = await readyModel(name);
    const modelVersionId = await addModelVersion(modelId);
    const { deployment } = await deployments().createDeployment({ modelId: modelId.toUpperCase() });
    expect(deployment).toMatchObject({
      id: expect.stringMatching(uuid),
      name,
      description: "Reads digits",
      serviceName: name.toLowerCase().replace("ü", "u").replace(" ", "-"),
      organisationId: rig.acme,
      modelId,
      modelVersionId,
      status: DeploymentStatus.PENDING,
      annotations: { text: "{}" },
    });
    expect(deployment?.createdAt).toEqual(deployment?.updatedAt);
  });

  it("is announced once, and shows its version and its rollout", async () => {
    const { modelId, modelVersionId } = await readyModel();
    const { deployment } = await deployments().createDeployment({ modelId });
    const deploymentId = deployment?.id ?? "";
    expect(await eventsAbout(deploymentId)).toContain("DeploymentCreated");
    const { versions } = await deployments().listDeploymentVersions({ deploymentId });
    expect(versions).toMatchObject([{ deploymentId, number: 1, modelVersionId, runtime: "onnx" }]);
    expect(versions[0]?.servingBundle).toBeUndefined();
    const { rollouts } = await deployments().listRollouts({ deploymentId });
    expect(rollouts).toMatchObject([{ deploymentId, deploymentVersionId: versions[0]?.id }]);
    const { version } = await models().getModelVersion({ modelVersionId });
    expect(version?.deploymentIds).toEqual([deploymentId]);
  });

  it("gives each deployment a service name of its own, twenty at a time", async () => {
    const { modelId } = await readyModel(`same ${randomUUID()}`);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => deployments({}, index % 2).createDeployment({ modelId })),
    );
    const names = made.map(({ deployment }) => deployment?.serviceName ?? "");
    expect(new Set(names).size).toBe(20);
    for (const name of names) expect(name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
  });

  it("has one effect for twenty requests with one key", async () => {
    const { modelId } = await readyModel();
    const idempotencyKey = randomUUID();
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        deployments({}, index % 2).createDeployment({ modelId, idempotencyKey }),
      ),
    );
    const { deployment } = await deployments().createDeployment({ modelId, idempotencyKey });
    for (const outcome of settled) {
      if (outcome.status === "fulfilled") expect(outcome.value.deployment).toEqual(deployment);
    }
    const all = await rig.store.database.collection("deployments").countDocuments({ model_id: modelId });
    expect(all).toBe(1);
  });

  it("is refused for a model that is not here, or has nothing ready", async () => {
    const { modelId } = await readyModel();
    const globex = deployments({ organisationId: rig.globex });
    const { model } = await models().createModel({ name: randomUUID() });
    expect([
      await failureOf(deployments().createDeployment({ modelId: randomUUID() })),
      await failureOf(globex.createDeployment({ modelId })),
      await failureOf(deployments().createDeployment({ modelId: model?.id ?? "" })),
    ]).toMatchObject([
      { code: Code.NotFound, message: "Not found" },
      { code: Code.NotFound, message: "Not found" },
      { code: Code.FailedPrecondition, reason: "MODEL_NOT_READY" },
    ]);
  });
});

describe("deploying a bundle", () => {
  it("answers at once, with everything that is known and nothing else", async () => {
    const { modelId, modelVersionId } = await readyModel();
    const datasetId = await knownDataset();
    const { deployment } = await deployments().createCustomServingDeployment(
      wanted({
        description: "Knows prices",
        modelRefs: [{ modelId, alias: "main" }],
        servingBundle: { ...bundle, datasets: [{ datasetId, alias: "train" }] },
        serverlessRunConfig: { text: '{"min_instances": 0, "min": 1.50}' },
      }),
    );
    expect(deployment).toMatchObject({
      id: expect.stringMatching(uuid),
      name: "Prices",
      description: "Knows prices",
      serviceName: expect.stringMatching(/^prices(-[0-9a-f]{6})?$/),
      modelId,
      modelVersionId,
      targetModelVersionId: modelVersionId,
      status: DeploymentStatus.PENDING,
      rolloutStatus: RolloutStatus.QUEUED,
      rolloutRequestId: expect.stringMatching(uuid),
      rolloutQueuedAt: deployment?.createdAt,
      serverlessRunConfig: { text: '{"min_instances": 0, "min": 1.50}' },
    });
    const absent = ["rolloutError", "currentDeploymentVersionId", "lowerEnvDeploymentId", "higherEnvDeploymentId"];
    expect(
      absent.filter((name) => Object.entries(deployment ?? {}).some(([key, value]) => key === name && value)),
    ).toEqual([]);
    const { versions } = await deployments().listDeploymentVersions({ deploymentId: deployment?.id ?? "" });
    expect(versions).toMatchObject([{ runtime: "node", servingBundle: { name: "prices", artifacts: [handler] } }]);
  });

  it("stores the contents of its files as they are", async () => {
    const sha256 = await upload(Buffer.from("uploaded before"));
    const files = [
      { file: handler, content: code.content.text, bytes: "export default (input) => input" },
      { file: { name: "labels", path: "a/labels.json", kind: "file" }, content: '{"b": 1.0}', bytes: '{"b": 1.0}' },
      { file: { name: "raw", path: "a/raw", kind: "file" }, content: '{"base64":"AAE="}', bytes: "\0\u0001" },
      {
        file: { name: "large", path: "large", kind: "file" },
        content: JSON.stringify({ artifact_sha256: sha256 }),
        bytes: "uploaded before",
      },
    ];
    const { deployment } = await deployments().createCustomServingDeployment(
      wanted({
        servingBundle: { ...bundle, artifacts: files.map(({ file }) => file) },
        artifacts: files.map(({ file: { name }, content }) => ({
          name,
          content: { text: content },
          contentType: "x/y",
        })),
      }),
    );
    const filter = { deployment_id: deployment?.id };
    const stored = await rig.store.database.collection("deployment_versions").findOne(filter);
    expect(stored?.["files"]).toEqual(
      files.map(({ file: { path }, bytes }) => {
        return { path, sha256: sha256Of(Buffer.from(bytes)), sizeBytes: Buffer.byteLength(bytes) };
      }),
    );
    const checks = await Promise.all(
      files.map(({ bytes }) => models().getArtifactUpload({ artifactSha256: sha256Of(Buffer.from(bytes)) })),
    );
    expect(checks.every(({ complete }) => complete)).toBe(true);
  });

  it("is told every mistake with its place", async () => {
    const failure = await failureOf(
      deployments().createCustomServingDeployment(
        wanted({
          servingBundle: {
            ...bundle,
            runtime: { type: "prebuilt", value: "cobol" },
            interface: { input: { text: '{"type":"objekt"}' }, output: { text: "{}" } },
            artifacts: [handler, { name: "extra", path: "../../etc/passwd", kind: "file" }],
          },
          artifacts: [code, { name: "stray", content: { text: "1" }, contentType: "x/y" }],
          serverlessRunConfig: { text: '{"memory_mb":1}' },
        }),
      ),
    );
    expect(failure).toMatchObject({ code: Code.InvalidArgument, reason: "FIELDS_INVALID" });
    expect(failure.fields).toEqual([
      ["serving_bundle.runtime.value", "RUNTIME_UNKNOWN"],
      ["serving_bundle.interface.input", "SCHEMA_INVALID"],
      ["serving_bundle.artifacts[1].path", "PATH_INVALID"],
      ["artifacts[1].name", "ARTIFACT_UNDECLARED"],
      ["serving_bundle.artifacts[1].name", "CONTENT_MISSING"],
      ["serverless_run_config.memory_mb", "GREATER_THAN_EQUAL"],
    ]);
  });

  it("a handler with the network reached every service of the machine: it is refused unless the operator allows it", async () => {
    const call = deployments().createCustomServingDeployment(
      wanted({ serverlessRunConfig: { text: '{"network":true}' } }),
    );
    const fields = [["serverless_run_config.network", "NETWORK_NOT_ALLOWED"]];
    expect(await failureOf(call)).toMatchObject({ code: Code.InvalidArgument, reason: "FIELDS_INVALID", fields });
  });

  it.each([
    ["no JSON", "{a"],
    ["a number", "7"],
    ["a list", "[]"],
  ])("with a run configuration that is %s is refused, and neither INTERNAL nor stored", async (_, text) => {
    const call = deployments().createCustomServingDeployment(wanted({ serverlessRunConfig: { text } }));
    const fields = [["serverless_run_config", "JSON_OBJECT_EXPECTED"]];
    expect(await failureOf(call)).toMatchObject({ code: Code.InvalidArgument, reason: "FIELDS_INVALID", fields });
  });

  it("with a content that is no JSON is refused, and not INTERNAL", async () => {
    const artifacts = [{ ...code, content: { text: "xx" } }];
    const fields = [["artifacts[0].content", "JSON_EXPECTED"]];
    const call = deployments().createCustomServingDeployment(wanted({ artifacts }));
    expect(await failureOf(call)).toMatchObject({ code: Code.InvalidArgument, fields });
  });

  it("is refused when it names what is not here", async () => {
    const { model } = await models().createModel({ name: randomUUID() });
    const withDataset = { ...bundle, datasets: [{ datasetId: randomUUID(), alias: "a" }] };
    const absent = { ...code, content: { text: JSON.stringify({ artifact_sha256: "0".repeat(64) }) } };
    const create = (changes: BundleInput) => failureOf(deployments().createCustomServingDeployment(wanted(changes)));
    expect([
      await create({ modelRefs: [{ modelId: randomUUID(), alias: "a" }] }),
      await create({ modelRefs: [{ modelId: model?.id ?? "", alias: "a" }] }),
      await create({ servingBundle: withDataset }),
      await create({ artifacts: [absent] }),
    ]).toMatchObject([
      { code: Code.NotFound },
      { code: Code.FailedPrecondition, reason: "MODEL_NOT_READY" },
      { code: Code.NotFound },
      { code: Code.FailedPrecondition, reason: "ARTIFACT_MISSING" },
    ]);
  });

  it("has one effect for a key, and refuses the key for another bundle", async () => {
    const idempotencyKey = randomUUID();
    const first = await deployments().createCustomServingDeployment(wanted({ idempotencyKey }));
    const again = await deployments({}, 1).createCustomServingDeployment(wanted({ idempotencyKey }));
    expect(again.deployment).toEqual(first.deployment);
    const other = deployments().createCustomServingDeployment(wanted({ idempotencyKey, name: "Other" }));
    expect(await failureOf(other)).toMatchObject({ reason: "IDEMPOTENCY_KEY_REUSED" });
  });
});

describe("the deployments of an organisation", () => {
  it("are listed by creation, page after page, and are hidden from other organisations", async () => {
    const { modelId } = await readyModel();
    const own = { organisationId: randomUUID() };
    const empty = await deployments(own).listDeployments({});
    expect(empty.deployments).toEqual([]);
    const { deployment } = await deployments().createDeployment({ modelId });
    const deploymentId = deployment?.id ?? "";
    const listed: CustomServingDeployment[] = [];
    let cursor = "";
    do {
      const page = await deployments().listDeployments({ limit: 7, cursor });
      listed.push(...page.deployments);
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(listed.at(-1)?.id).toBe(deploymentId);
    // Ids of replicas that create at the same moment need not be in the order of the times.
    const times = listed.map(({ createdAt }) => (createdAt ? timestampMs(createdAt) : 0));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    const globex = deployments({ organisationId: rig.globex });
    for (const call of [
      () => globex.getDeployment({ deploymentId }),
      () => globex.getServingState({ deploymentId }),
      () => globex.listRollouts({ deploymentId }),
      () => globex.listDeploymentVersions({ deploymentId }),
      () => globex.resolvePredictionRoute({ deploymentId }),
      () => globex.deleteDeployment({ deploymentId }),
    ]) {
      expect(await failureOf(call())).toMatchObject({ code: Code.NotFound, message: "Not found" });
    }
  });
});
