import { randomBytes, randomUUID } from "node:crypto";
import { UnsealError } from "@aiplatform/sealed-secrets";
import { eventually } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../src/index.ts";
import { DeploymentsRig, newDeploymentsHome, newKeyRing } from "./deployments-rig.ts";
import { OperationsRig } from "./operations-rig.ts";
import { handlerSaying, ServingClient } from "./serving-client.ts";

interface StoredVersion {
  _id: string;
  deployment_id: string;
  token?: string;
  sealed_token?: string;
}

let rig: DeploymentsRig;
let serving: ServingClient;
beforeAll(async () => {
  rig = await DeploymentsRig.start();
  serving = new ServingClient(rig, rig.as());
}, 60_000);
afterAll(() => rig?.[Symbol.asyncDispose]());

const versions = () => rig.store.database.collection<StoredVersion>("deployment_versions");
const storedOf = (id: string) => versions().findOne({ deployment_id: id });

/** A deployment that answers predictions, and the token that its instance wants to see. */
async function served(): Promise<{ id: string; token: string }> {
  const id = await serving.deploy({ handler: handlerSaying("one") }, `served-${randomUUID()}`);
  await serving.comesTo(id, "RUNNING", "SUCCEEDED");
  return { id, token: await tokenOf(id) };
}

async function tokenOf(deploymentId: string): Promise<string> {
  const { targets } = await serving.deployments.resolvePredictionRoute({ deploymentId });
  return targets[0]?.token ?? "";
}

/** What a service of an earlier version stores. */
async function storeInClear(id: string, token: string): Promise<void> {
  await versions().updateOne({ deployment_id: id }, { $set: { token }, $unset: { sealed_token: "" } });
}

/** Everything that the database holds, as text. */
async function dump(): Promise<string> {
  const collections = await rig.store.database.collections();
  const documents = await Promise.all(collections.map((collection) => collection.find().toArray()));
  return JSON.stringify(documents.flat(), (_key, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
  );
}

describe("the token of an instance that answers predictions", () => {
  it("is nowhere in the database in clear", async () => {
    const { id, token } = await served();
    expect(await serving.predict(id)).toMatchObject({ status: 200 });
    expect(token).toMatch(/^[\w-]{43}$/);
    const kept = await dump();
    expect(kept).toContain(id);
    for (const text of [token, Buffer.from(token).toString("base64").replace(/=+$/, "")]) {
      expect(kept).not.toContain(text);
    }
  }, 60_000);

  it("is opened by a replica that has not sealed it", async () => {
    const { id, token } = await served();
    const replica = await rig.addReplica();
    const elsewhere = new ServingClient(rig, rig.clientAt(replica.addresses.grpc));
    const { targets } = await elsewhere.deployments.resolvePredictionRoute({ deploymentId: id });
    expect(targets[0]?.token).toBe(token);
  }, 60_000);
});

describe("a token that an earlier version has stored in clear", () => {
  it("is used as it is, and sealed by the next replica that starts", async () => {
    const { id, token } = await served();
    await storeInClear(id, token);
    expect(await serving.predict(id)).toMatchObject({ status: 200 });
    await rig.addReplica();
    const sealed = await eventually(async () => (await storedOf(id))?.sealed_token);
    expect(await storedOf(id)).not.toHaveProperty("token");
    expect(sealed).not.toContain(token);
    expect(await serving.predict(id)).toMatchObject({ status: 200 });
    expect(await tokenOf(id)).toBe(token);
    expect(await dump()).not.toContain(token);
  }, 60_000);
});

describe("tokens beside replicas of an earlier version", () => {
  it("are stored as those read them, until INSTANCE_TOKENS is sealed", async () => {
    await using mixed = await DeploymentsRig.start({ settings: { INSTANCE_TOKENS: "clear" } });
    const client = new ServingClient(mixed, mixed.as());
    const id = await client.deploy({ handler: handlerSaying("one") });
    await client.comesTo(id, "RUNNING", "SUCCEEDED");
    const stored = () =>
      mixed.store.database.collection<StoredVersion>("deployment_versions").findOne({ deployment_id: id });
    expect(await stored()).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await stored()).not.toHaveProperty("sealed_token");
    await mixed.addReplica({ INSTANCE_TOKENS: "sealed" });
    await eventually(async () => (await stored())?.sealed_token);
    expect(await client.predict(id)).toMatchObject({ status: 200 });
  }, 60_000);
});

describe("a sealed token", () => {
  it("opens for its version alone, also where it was opened before", async () => {
    await using operations = await OperationsRig.start();
    const { organisationId, dependencies, store } = operations;
    const { modelId } = await operations.model();
    const [own, other] = [await operations.deploy(modelId), await operations.deploy(modelId)];
    const ids = [own.rollout.versionId, other.rollout.versionId] as const;
    const [first] = await dependencies.deploymentVersions.findServed(organisationId, [ids[0]]);
    expect(first?.token).toMatch(/^[\w-]{43}$/);
    const stored = store.database.collection<StoredVersion>("deployment_versions");
    const sealed = (await stored.findOne({ _id: ids[0] }))?.sealed_token ?? "";
    await stored.updateOne({ _id: ids[1] }, { $set: { sealed_token: sealed } });
    const moved = dependencies.deploymentVersions.findServed(organisationId, [ids[1]]);
    await expect(moved).rejects.toThrow(UnsealError);
  });
});

describe("SECRETS_KEYS", () => {
  it("is asked for, and read before anything starts", () => {
    const { SECRETS_KEYS: _, ...without } = newDeploymentsHome();
    expect(() => readConfig(without)).toThrow(/SECRETS_KEYS is not set \(secret\): Keys under which/);
    const short = { ...without, SECRETS_KEYS: '[{"id":"a","key":"c2hvcnQ="}]' };
    expect(() => readConfig(short)).toThrow("SECRETS_KEYS entry 0: key must be 32 bytes in base64");
  });

  it.each([
    [
      "another key by the same name",
      "first",
      "SECRETS_KEYS has another key first than the one in use; give it the value that it had",
    ],
    [
      "another key alone",
      "second",
      "SECRETS_KEYS lacks the key first, which is in use; add it again, after the others",
    ],
  ])(
    "with %s keeps the service from starting",
    async (_what, id, message) => {
      await served();
      await expect(rig.addReplica({ SECRETS_KEYS: newKeyRing(id) })).rejects.toThrow(message);
    },
    60_000,
  );

  it("takes a new key in the place of the old one, while predictions go on", async () => {
    await using rotated = await DeploymentsRig.start();
    const client = new ServingClient(rotated, rotated.as());
    const id = await client.deploy({ handler: handlerSaying("one") });
    await client.comesTo(id, "RUNNING", "SUCCEEDED");
    const [old, next] = [rotated.home.SECRETS_KEYS, newKeyRing("second")].map((ring) => JSON.parse(ring));
    await rotated.addReplica({ SECRETS_KEYS: JSON.stringify([...next, ...old]) });
    const dataKeys = rotated.store.database.collection("data_keys");
    await eventually(async () => (await dataKeys.countDocuments({ wrapped_by: { $ne: "second" } })) === 0);
    const last = await rotated.addReplica({ SECRETS_KEYS: JSON.stringify(next) });
    const other = new ServingClient(rotated, rotated.clientAt(last.addresses.grpc));
    expect(await other.predict(id)).toMatchObject({ status: 200 });
  }, 60_000);

  it("that is lost can be replaced, where each version gets a new token", async () => {
    await using lost = await DeploymentsRig.start();
    const client = new ServingClient(lost, lost.as());
    const id = await client.deploy({ handler: handlerSaying("one") });
    await client.comesTo(id, "RUNNING", "SUCCEEDED");
    for (const service of lost.services.splice(0)) await service.stop();
    await lost.store.database.collection("data_keys").deleteMany({});
    const token = randomBytes(32).toString("base64url");
    const stored = lost.store.database.collection<StoredVersion>("deployment_versions");
    await stored.updateMany({}, { $set: { token }, $unset: { sealed_token: "" } });
    const replica = await lost.addReplica({ SECRETS_KEYS: newKeyRing("second") });
    const other = new ServingClient(lost, lost.clientAt(replica.addresses.grpc));
    await eventually(async () => (await stored.findOne({ deployment_id: id }))?.sealed_token);
    await eventually(async () => (await other.predict(id))?.status === 200);
    const { targets } = await other.deployments.resolvePredictionRoute({ deploymentId: id });
    expect(targets).toMatchObject([{ token }]);
  }, 60_000);
});
