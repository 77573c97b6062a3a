import { randomBytes } from "node:crypto";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { DeploymentsRig, newKeyRing } from "./deployments-rig.ts";
import { handlerSaying, ServingClient } from "./serving-client.ts";

interface StoredVersion {
  _id: string;
  deployment_id: string;
  token?: string;
  sealed_token?: string;
}

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

describe("SECRETS_KEYS", () => {
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
