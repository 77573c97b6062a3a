import { randomUUID } from "node:crypto";
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
});
