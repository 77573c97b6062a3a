import { connectDocumentStore } from "@aiplatform/document-store";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { MemberStore } from "../src/members/member-store.ts";
import { type IdentityRig, startIdentityRig } from "./identity-rig.ts";

const readiness = async (rig: IdentityRig) => {
  const response = await fetch(`${rig.service.addresses.admin}/readyz`);
  return { status: response.status, text: await response.text() };
};

describe("without NATS", () => {
  it("organisations are made and credentials exchanged; identity is ready and names what is away", async () => {
    await using rig = await startIdentityRig({ settings: { NATS_URL: "nats://127.0.0.1:9" } });
    const key = { apiKey: rig.acme.apiKeySecret };
    await expect(rig.as({}).credentials.exchangeCredential(key)).resolves.toMatchObject({
      caller: { organisationId: rig.acme.organisation?.id },
    });
    const { status, text } = await readiness(rig);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      checks: { mongodb: { ok: true } },
      dependencies: { nats: { ok: false } },
    });
    expect(await fetch(`${rig.service.addresses.admin}/livez`)).toHaveProperty("status", 200);
  });

  it("a revoked key opens nothing at identity all the same", async () => {
    await using rig = await startIdentityRig({ settings: { NATS_URL: "nats://127.0.0.1:9" } });
    const { apiKeys } = rig.as({ apiKey: rig.acme.apiKeySecret });
    const made = await apiKeys.createApiKey({ name: "gone", permissionIds: ["metrics:read"] });
    await apiKeys.revokeApiKey({ apiKeyId: made.apiKey?.id ?? "" });
    const exchange = rig.as({}).credentials.exchangeCredential({ apiKey: made.secret });
    await expect(exchange).rejects.toMatchObject({ rawMessage: "The API key was revoked" });
  });
});

describe("with both parts", () => {
  it("identity is ready", async () => {
    await using rig = await startIdentityRig();
    await eventually(async () => (await readiness(rig)).status === 200);
  });

  it("the member behind a token is found by an index", async () => {
    await using rig = await startIdentityRig();
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
    await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
    const filter = { organisation_id: rig.acme.organisation?.id ?? "", issuer: rig.provider.issuer, subject: "ada" };
    const plan = await store.database.collection(MemberStore.indexes.collection).find(filter).explain("executionStats");
    expect(JSON.stringify(plan)).toContain('"indexName":"subject"');
  });
});
