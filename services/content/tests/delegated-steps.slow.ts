import { randomUUID } from "node:crypto";
import { delegationCredential } from "@aiplatform/caller-identity";
import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { readConfig as readIdentityConfig, startIdentityService } from "@aiplatform/identity";
import { createMeshTransport } from "@aiplatform/service-host";
import {
  assertedAs,
  contextSigningKey,
  dropDatabase,
  environmentOf,
  failureOf,
  newTestEnvironment,
  type TestClient,
} from "@aiplatform/testkit";
import { type Client, Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AutomationClient } from "./automation-client.ts";
import { ContentRig, everyPermission } from "./content-rig.ts";

const secret = "delegation-secret-of-the-tests-0123456789";
const parts = new AsyncDisposableStack();
let rig: ContentRig;
/** What identity keeps. */
let kept: DocumentStore;
let identity: Client<typeof CredentialService>;
let caller: TestClient;

beforeAll(async () => {
  const home = newTestEnvironment("identity");
  const environment = environmentOf(home, {
    CONTEXT_SIGNING_KEY: contextSigningKey,
    API_KEY_HASH_SECRET: "hash-secret-of-the-tests-0123456789abcdef",
    DELEGATION_SECRET: secret,
  });
  const service = parts.use(await startIdentityService(readIdentityConfig(environment)));
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
  kept = parts.use(await connectDocumentStore({ uri, database, appName: "content tests" }));
  parts.defer(async () => {
    await dropDatabase(kept);
  });
  const { grpc } = service.addresses;
  const settings = { IDENTITY_ADDRESS: grpc, DELEGATION_SECRET: secret };
  rig = parts.use(await ContentRig.start({ settings }));
  const transport = createMeshTransport({ addresses: grpc, interceptors: [assertedAs("content")] });
  parts.defer(() => transport.close());
  identity = createClient(CredentialService, transport);
  caller = rig.as();
});
afterAll(async () => await parts.disposeAsync());

const step = (template: object, featureKeys: string[] = []) => {
  return { key: "a", name: "A", promptTemplate: { text: JSON.stringify(template) }, featureKeys };
};
const asking = step({ type: "prompt", text: "Hello" });
const describing = step({ type: "dictionary", dataset_id: "d", entries: [] });
const mailing = step({ type: "email", subject: "s", text: "t", recipient_member_ids: [] });

/** An automation with a draft of this step. */
async function drafted(wanted: ReturnType<typeof step>, by = caller): Promise<string> {
  const automations = by.client(AutomationService);
  const { automation } = await automations.createAutomation({ name: "Delegating" });
  const automationId = automation?.id ?? "";
  await automations.saveAutomationDraft({ automationId, steps: [wanted], stepTransitions: [] });
  return automationId;
}

/** The delegation of the published version. */
async function delegationOf(automationId: string): Promise<string | null | undefined> {
  const versions = rig.store.database.collection<{ delegation_id: string | null }>("automation_versions");
  return (await versions.findOne({ automation_id: automationId, status: "published" }))?.delegation_id;
}

/** Why the bearer of a delegation, for the steps for which it was given, opens nothing. */
async function refusal(delegationId: string): Promise<string | undefined> {
  const delegation = await kept.database.collection("delegations").findOne({ delegation_id: delegationId });
  const bearer = delegationCredential(secret, {
    organisationId: rig.acme,
    delegationId,
    digest: delegation?.["digest"],
  });
  return (await failureOf(identity.exchangeCredential({ bearer }))).reason;
}

/** What was delegated for an automation. */
const delegationsFor = (automationId: string) =>
  kept.database
    .collection("delegations")
    .find({ purpose: `automation ${automationId}` })
    .toArray();

/** A member of acme, of whom identity knows nothing. */
const memberWith = (permissions: readonly string[]) => rig.as({ memberId: randomUUID(), permissions });

const memberInactive = "MEMBER_INACTIVE";
const ended = "CREDENTIAL_REVOKED";

describe("publishing steps that need permissions", () => {
  it("delegates what they need, in the publisher's name", async () => {
    const automationId = await drafted(describing);
    const member = memberWith(everyPermission);
    await member.client(AutomationService).publishAutomation({ automationId, ifMatch: "*" });
    // Identity knows the delegation, and looks for the member in whose name it is: there is none in this test.
    expect(await refusal((await delegationOf(automationId)) ?? "")).toBe(memberInactive);
  });

  it("ends the delegation of the version before, and that of a deleted automation", async () => {
    const automationId = await drafted(describing);
    const member = memberWith(everyPermission);
    const automations = member.client(AutomationService);
    await automations.publishAutomation({ automationId, ifMatch: "*" });
    const first = (await delegationOf(automationId)) ?? "";
    await automations.saveAutomationDraft({ automationId, steps: [mailing], stepTransitions: [] });
    await automations.publishAutomation({ automationId, ifMatch: "*" });
    const second = (await delegationOf(automationId)) ?? "";
    expect([await refusal(first), await refusal(second)]).toEqual([ended, memberInactive]);
    await automations.deleteAutomation({ automationId });
    expect(await refusal(second)).toBe(ended);
  });

  it("is refused with the name of the permission that the publisher lacks, and publishes nothing", async () => {
    const automationId = await drafted(mailing);
    const member = memberWith(everyPermission.filter((permission) => permission !== "emails:write"));
    const failure = await failureOf(member.client(AutomationService).publishAutomation({ automationId, ifMatch: "*" }));
    expect(failure).toMatchObject({ code: Code.PermissionDenied, reason: "PERMISSION_MISSING" });
    expect(failure.message).toContain("emails:write");
    expect(await delegationOf(automationId)).toBeUndefined();
  });

  it("that is refused for another reason leaves nothing delegated", async () => {
    const featureKey = randomUUID();
    const automationId = await drafted({ ...describing, featureKeys: [featureKey] });
    const failure = await failureOf(caller.client(AutomationService).publishAutomation({ automationId, ifMatch: "*" }));
    expect(failure.reason).toBe("FEATURES_UNAVAILABLE");
    await caller.client(FeatureMemoryService).putFeature({ featureKey });
    const delegations = await delegationsFor(automationId);
    expect(delegations).toEqual([expect.objectContaining({ revoked_at: expect.any(Date) })]);
  });
});

describe("steps that were published", () => {
  it("act no more once they are others than those that were delegated to", async () => {
    const automationId = await drafted(describing);
    const automations = caller.client(AutomationService);
    await automations.publishAutomation({ automationId, ifMatch: "*" });
    const [delegation] = await delegationsFor(automationId);
    expect(delegation?.["digest"]).toMatch(/^[0-9a-f]{64}$/);
    const versions = rig.store.database.collection("automation_versions");
    const template = JSON.stringify({ type: "dictionary", dataset_id: "another", entries: [] });
    await versions.updateOne({ automation_id: automationId }, { $set: { "steps.0.prompt_template": template } });
    const { run } = await automations.startAutomationRun({ automationId });
    const ended = await new AutomationClient(caller).ended(run?.id ?? "");
    expect(ended.error).toContain("The steps are not those that were published: publish the automation again");
  });

  it.each([
    ["for other steps", "0".repeat(64)],
    ["for no steps", undefined],
  ])("cannot be acted for by a bearer %s", async (_, digest) => {
    const automationId = await drafted(describing);
    await caller.client(AutomationService).publishAutomation({ automationId, ifMatch: "*" });
    const delegationId = (await delegationOf(automationId)) ?? "";
    const bearer = delegationCredential(secret, { organisationId: rig.acme, delegationId, digest });
    expect((await failureOf(identity.exchangeCredential({ bearer }))).reason).toBe("CREDENTIAL_UNKNOWN");
  });
});

describe("publishing steps that need no permissions", () => {
  it("delegates nothing", async () => {
    const automationId = await drafted(asking);
    await caller.client(AutomationService).publishAutomation({ automationId, ifMatch: "*" });
    expect(await delegationOf(automationId)).toBeNull();
    expect(await delegationsFor(automationId)).toEqual([]);
  });
});

describe("without a secret for delegations", () => {
  it("steps that need permissions are not published, and others are", async () => {
    await using plain = await ContentRig.start();
    const by = plain.as();
    const publish = async (wanted: ReturnType<typeof step>) =>
      by.client(AutomationService).publishAutomation({ automationId: await drafted(wanted, by), ifMatch: "*" });
    expect(await failureOf(publish(describing))).toMatchObject({
      code: Code.FailedPrecondition,
      reason: "DELEGATIONS_OFF",
    });
    expect((await publish(asking)).automation?.currentVersion).toBeDefined();
  });
});
