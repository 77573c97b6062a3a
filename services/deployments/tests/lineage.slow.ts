import { randomBytes, randomUUID } from "node:crypto";
import { LineageService } from "@aiplatform/contract/aiplatform/deployments/v1/lineage";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { LineageKind } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import { DataKeyStore, readKeyRing, SealedSecrets } from "@aiplatform/sealed-secrets";
import { failureOf, type TestCaller } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { DeploymentVersionStore } from "../src/deployment-versions/deployment-version-store.ts";
import { InstanceTokens } from "../src/deployment-versions/instance-tokens.ts";
import { DeploymentsRig } from "./deployments-rig.ts";
import { uploadPieces } from "./upload-pieces.ts";

/** Nothing listens there. */
const away = "127.0.0.1:1";

let rig: DeploymentsRig;
beforeAll(async () => {
  rig = await DeploymentsRig.start({ settings: { TRAINING_ADDRESS: away, DATA_ADDRESS: away } });
});
afterAll(() => rig?.[Symbol.asyncDispose]());

const lineage = (kind: LineageKind, id: string, caller: TestCaller = {}) =>
  rig.as(caller).client(LineageService).getLineage({ kind, id });

async function newVersion(): Promise<string> {
  const models = rig.as({}).client(ModelService);
  const bytes = Buffer.from(`model ${randomUUID()}`);
  await models.uploadArtifact(uploadPieces(bytes));
  const { model } = await models.createModel({ name: `model ${randomUUID()}` });
  const spec = { modelId: model?.id ?? "", format: "onnx", artifactSha256: sha256Of(bytes) };
  return (await models.createModelVersion(spec)).version?.id ?? "";
}

describe("the lineage while training and the data service are away", () => {
  it.each([
    ["a run", LineageKind.RUN, "TRAINING_UNAVAILABLE"],
    ["a version of a dataset", LineageKind.DATASET_VERSION, "DATASETS_UNAVAILABLE"],
    ["an embedding", LineageKind.DATASET_EMBEDDING, "DATASETS_UNAVAILABLE"],
  ])("of %s is refused: a part of it would look like all of it", async (_, kind, reason) => {
    expect(await failureOf(lineage(kind, randomUUID()))).toMatchObject({ code: Code.Unavailable, reason });
  });

  it("of a version of a model that was made by hand is answered, as nothing of it is there", async () => {
    const id = await newVersion();
    const { nodes, edges, leftOut } = await lineage(LineageKind.MODEL_VERSION, id);
    expect(nodes).toMatchObject([{ kind: LineageKind.MODEL_VERSION, id, number: 1, state: "ready", distance: 0 }]);
    expect([edges, leftOut]).toEqual([[], 0]);
  });
});

it("finds all versions of deployments that use a version of a model, however many they are", async () => {
  const organisationId = randomUUID();
  const ids = Array.from({ length: 1_001 }, (_, index) => `v${String(index).padStart(4, "0")}-${organisationId}`);
  const models = [{ modelVersionId: "m1" }];
  await rig.store.database
    .collection<{ _id: string; [field: string]: unknown }>("deployment_versions")
    .insertMany(ids.map((_id) => ({ _id, organisation_id: organisationId, deployment_id: _id, number: 1, models })));
  const ring = readKeyRing(JSON.stringify([{ id: "k1", key: randomBytes(32).toString("base64") }]));
  const secrets = new SealedSecrets({
    ring,
    dataKeys: new DataKeyStore(rig.store),
    clock: () => new Date(),
    newId: randomUUID,
  });
  const versions = new DeploymentVersionStore(rig.store, new InstanceTokens({ secrets, storesClear: false }));
  expect(await versions.idsOfModelVersions(organisationId, ["m1", "m2"])).toEqual(ids);
});

it("without a data service there is no data", async () => {
  await using without = await DeploymentsRig.start({ settings: { TRAINING_ADDRESS: away } });
  const client = without.as({}).client(LineageService);
  const asked = client.getLineage({ kind: LineageKind.DATASET_VERSION, id: randomUUID() });
  expect(await failureOf(asked)).toMatchObject({ code: Code.NotFound });
});
