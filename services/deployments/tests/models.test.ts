import { randomUUID } from "node:crypto";
import { ModelService, ModelVersionStatus } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { failureOf, type TestCaller } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { DeploymentsRig } from "./deployments-rig.ts";
import { uploadPieces } from "./upload-pieces.ts";

let rig: DeploymentsRig;
beforeAll(async () => {
  rig = await DeploymentsRig.start({ replicas: 2 });
});
afterAll(() => rig?.[Symbol.asyncDispose]());

const models = (caller: TestCaller = {}, replica = 0) => rig.as(caller, replica).client(ModelService);
const someName = () => `model ${randomUUID()}`;
const newModel = async (name = someName()) => (await models().createModel({ name })).model;
const upload = async (text: string, caller: TestCaller = {}) => {
  const bytes = Buffer.from(text);
  await models(caller).uploadArtifact(uploadPieces(bytes));
  return sha256Of(bytes);
};

describe("a model that is made by hand", () => {
  it("is answered as it was made, without a version or a pipeline", async () => {
    const name = someName();
    const { model } = await models().createModel({ name, description: "names digits" });
    expect(model).toMatchObject({ name, description: "names digits", organisationId: rig.acme });
    expect([model?.pipelineId, model?.newestReadyVersionId]).toEqual([undefined, undefined]);
    expect((await models().getModel({ modelId: model?.id ?? "" })).model).toEqual(model);
    expect((await models().getModel({ modelId: model?.id.toUpperCase() ?? "" })).model).toEqual(model);
  });

  it("is made once by a key, and another request with the key is refused", async () => {
    const request = { name: someName(), idempotencyKey: randomUUID() };
    const { model } = await models().createModel(request);
    expect((await models({}, 1).createModel(request)).model).toEqual(model);
    const other = failureOf(models().createModel({ ...request, name: someName() }));
    expect(await other).toMatchObject({ code: Code.InvalidArgument, reason: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("takes a name that no other has, also when twenty ask for it at once", async () => {
    const name = someName();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => models({}, index % 2).createModel({ name })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const taken = await failureOf(models().createModel({ name }));
    expect(taken).toMatchObject({ code: Code.AlreadyExists, reason: "MODEL_NAME_TAKEN" });
  });

  it("is hidden from other organisations", async () => {
    const model = await newModel();
    const stranger = models({ organisationId: rig.globex });
    const modelId = model?.id ?? "";
    const artifactSha256 = sha256Of(Buffer.from("x"));
    const missing = { code: Code.NotFound, reason: "NOT_FOUND", message: "Not found" };
    expect(await failureOf(stranger.getModel({ modelId }))).toMatchObject(missing);
    expect(await failureOf(stranger.listModelVersions({ modelId }))).toMatchObject(missing);
    const foreign = stranger.createModelVersion({ modelId, format: "onnx", artifactSha256 });
    expect(await failureOf(foreign)).toMatchObject(missing);
    expect((await stranger.createModel({ name: model?.name ?? "" })).model?.name).toBe(model?.name);
  });

  it("stands in the list by creation, page after page", async () => {
    const organisationId = randomUUID();
    const names = ["c", "a", "b"];
    for (const name of names) await models({ organisationId }).createModel({ name });
    const first = await models({ organisationId }, 1).listModels({ limit: 2 });
    const second = await models({ organisationId }).listModels({ limit: 2, cursor: first.nextCursor });
    expect([...first.models, ...second.models].map(({ name }) => name)).toEqual(names);
    expect(second.nextCursor).toBe("");
    const bad = failureOf(models().listModels({ cursor: "nonsense" }));
    expect(await bad).toMatchObject({ code: Code.InvalidArgument, reason: "CURSOR_INVALID" });
  });
});

describe("a version that is made by hand", () => {
  it("is ready at once, and the model's newest", async () => {
    const model = await newModel();
    const modelId = model?.id ?? "";
    const artifactSha256 = await upload("the first");
    const { version } = await models().createModelVersion({ modelId, format: "onnx", artifactSha256 });
    const facts = {
      modelId,
      number: 1,
      status: ModelVersionStatus.READY,
      format: "onnx",
      artifactSha256,
      sizeBytes: 9n,
    };
    expect(version).toMatchObject(facts);
    expect([version?.source, version?.statusDetail]).toEqual([undefined, undefined]);
    expect((await models().getModel({ modelId })).model?.newestReadyVersionId).toBe(version?.id);
    const { version: found } = await models({}, 1).getModelVersion({ modelVersionId: version?.id ?? "" });
    expect(found).toEqual(version);
  });

  it("with the bytes of a ready one is that one, also when twenty register it at once", async () => {
    const modelId = (await newModel())?.id ?? "";
    const artifactSha256 = await upload("the same");
    const wanted = { modelId, format: "onnx", artifactSha256 };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => models({}, index % 2).createModelVersion(wanted)),
    );
    expect(new Set(answers.map(({ version }) => version?.id)).size).toBe(1);
    const second = { ...wanted, artifactSha256: await upload("another") };
    expect((await models().createModelVersion(second)).version?.number).toBe(2);
  });

  it("needs an artifact of the organisation's own", async () => {
    const modelId = (await newModel())?.id ?? "";
    const artifactSha256 = await upload("a stranger's", { organisationId: rig.globex });
    const refused = failureOf(models().createModelVersion({ modelId, format: "onnx", artifactSha256 }));
    expect(await refused).toMatchObject({ code: Code.FailedPrecondition, reason: "ARTIFACT_MISSING" });
  });

  it("stands in the list, the newest first, page after page", async () => {
    const modelId = (await newModel())?.id ?? "";
    expect((await models().listModelVersions({ modelId })).versions).toEqual([]);
    for (const text of ["one", "two", "three"]) {
      await models().createModelVersion({ modelId, format: "onnx", artifactSha256: await upload(text) });
    }
    const first = await models().listModelVersions({ modelId, limit: 2 });
    const second = await models().listModelVersions({ modelId, limit: 2, cursor: first.nextCursor });
    expect([...first.versions, ...second.versions].map(({ number }) => number)).toEqual([3, 2, 1]);
    expect(second.nextCursor).toBe("");
  });

  it("that there is not is not found", async () => {
    const missing = failureOf(models().getModelVersion({ modelVersionId: randomUUID() }));
    expect(await missing).toMatchObject({ code: Code.NotFound, reason: "NOT_FOUND" });
  });
});
