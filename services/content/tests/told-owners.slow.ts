import { randomUUID } from "node:crypto";
import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { AutomationOwnerToldSchema, FeatureDeprecatedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { connectEventStream, eventRecord } from "@aiplatform/event-stream";
import { eventually, failureOf, ServiceProcess, serviceKeys } from "@aiplatform/testkit";
import { create, fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { program } from "./content-rig.ts";
import { EmailRig } from "./email-rig.ts";

let rig: EmailRig;
let featureKey: string;
beforeAll(async () => {
  rig = await EmailRig.start({}, { replicas: 2 });
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  featureKey = `age ${randomUUID()}`;
  await memory().putFeature({ featureKey });
});

const caller = (memberId?: string) => rig.content.as(memberId === undefined ? {} : { memberId });
const automations = (memberId?: string) => caller(memberId).client(AutomationService);
const memory = () => caller().client(FeatureMemoryService);

/** A published automation that uses the feature, made by the member; answers its id. */
async function userOf(key: string, memberId: string | undefined, draftsForOwner = false): Promise<string> {
  const made = automations(memberId);
  const { automation } = await made.createAutomation({ name: "Retrain {{ often }}" });
  const automationId = automation?.id ?? "";
  const promptTemplate = { text: JSON.stringify({ type: "prompt", text: `{{ features['${key}'] }}` }) };
  await made.saveAutomationDraft({ automationId, steps: [{ key: "a", name: "A", promptTemplate }] });
  await made.publishAutomation({ automationId, ifMatch: "*" });
  if (draftsForOwner) await made.updateAutomationSettings({ automationId, draftsForOwner });
  return automationId;
}

/** Who was told of the feature, in the order of the automations. */
async function told(key = featureKey) {
  const type = "aiplatform.content.automation.owner_told.v1";
  const records = await rig.content.store.database.collection("outbox").find({ type }).sort({ entity_id: 1 }).toArray();
  const messages = records.map((record) => fromBinary(AutomationOwnerToldSchema, record["data"].value()));
  return messages.filter((message) => message.featureKey === key);
}

async function draftsTo(memberId: string) {
  const { drafts } = await caller().client(EmailDraftService).listEmailDrafts({ limit: 1_000 });
  return drafts.filter(({ recipientMemberIds }) => recipientMemberIds.includes(memberId));
}

describe("the owner of an automation", () => {
  it("is the member who made it; there is none if a program did", async () => {
    const ada = await rig.member();
    for (const memberId of [ada, undefined]) {
      const automationId = await userOf(featureKey, memberId);
      const { settings } = await automations().getAutomationSettings({ automationId });
      expect(settings?.ownerMemberId).toBe(memberId);
    }
  });

  it("can be any member, but not an unknown id", async () => {
    const automationId = await userOf(featureKey, undefined);
    const owns = (ownerMemberId: string) => automations().updateAutomationSettings({ automationId, ownerMemberId });
    const grace = await rig.member();
    expect((await owns(grace.toUpperCase())).settings?.ownerMemberId).toBe(grace);
    expect(await failureOf(owns(randomUUID()))).toMatchObject({ reason: "NOT_FOUND", message: "Not found" });
    const { settings } = await automations().getAutomationSettings({ automationId });
    expect(settings?.ownerMemberId).toBe(grace);
  });
});

describe("when a feature is deprecated", () => {
  it("the owner of each automation that uses it is told, by one draft for all of theirs if they asked for that", async () => {
    const [ada, grace] = [await rig.member(), await rig.member()];
    await memory().putFeature({ featureKey: `${featureKey} 2` });
    await memory().putFeature({ featureKey, replacementKey: `${featureKey} 2` });
    const ofAda = [await userOf(featureKey, ada, true), await userOf(featureKey, ada, true)];
    const quiet = await userOf(featureKey, ada);
    const ofGrace = await userOf(featureKey, grace);
    await userOf(featureKey, undefined, true);
    await memory().deleteFeature({ featureKey });
    await eventually(async () => (await told()).length === 4);
    const [draft, ...more] = await draftsTo(ada);
    expect(more).toEqual([]);
    const shared = { organisationId: rig.content.acme, featureKey, replacementKey: `${featureKey} 2` };
    expect(await told()).toMatchObject([
      { ...shared, automationId: ofAda[0], ownerMemberId: ada, draftId: draft?.id },
      { ...shared, automationId: ofAda[1], ownerMemberId: ada, draftId: draft?.id },
      { ...shared, automationId: quiet, ownerMemberId: ada, draftId: "" },
      { ...shared, automationId: ofGrace, ownerMemberId: grace, draftId: "" },
    ]);
    expect(await draftsTo(grace)).toEqual([]);
    const draftId = draft?.id ?? "";
    const { preview } = await caller().client(EmailDraftService).previewEmailDraft({ draftId });
    expect(preview?.text).toContain("- Retrain {{ often }}\n- Retrain {{ often }}\n");
    expect(preview?.text).toContain(`Use the feature ${featureKey} 2 instead.`);
  });

  it("no owner is told of an automation that is gone by then", async () => {
    const ada = await rig.member();
    const [gone, there] = [await userOf(featureKey, ada, true), await userOf(featureKey, ada, true)];
    await automations().deleteAutomation({ automationId: gone });
    await publishDeprecation([[gone, there]]);
    await eventually(async () => (await told()).length > 0);
    expect((await told()).map(({ automationId }) => automationId)).toEqual([there]);
  });

  it("the owner is told once, also when the event is published again and a replica is killed meanwhile", async () => {
    const ada = await rig.member();
    const ids = await Promise.all(Array.from({ length: 5 }, () => userOf(featureKey, ada, true)));
    const last = await rig.member();
    const lastKey = `${featureKey} last`;
    await memory().putFeature({ featureKey: lastKey });
    const marker = await userOf(lastKey, last);
    await using process = new ServiceProcess({ program, home: rig.content.home });
    await process.start();
    const times = Array.from({ length: 30 }, () => ids);
    const publishing = publishDeprecation(times, { sameEvent: true });
    await process.kill();
    await publishing;
    await publishDeprecation([[marker]], { key: lastKey });
    await eventually(async () => (await told(lastKey)).length === 1 && (await told()).length >= ids.length);
    expect((await told()).map(({ automationId }) => automationId)).toEqual([...ids].sort());
    expect(await draftsTo(ada)).toHaveLength(1);
  });
});

/** Announces that the feature is deprecated, once for each list of automations. */
async function publishDeprecation(lists: string[][], { sameEvent = false, key = featureKey } = {}): Promise<void> {
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.content.home;
  await using stream = await connectEventStream({ servers, keys: serviceKeys("content"), name: "content", streamName });
  await eventually(() =>
    stream.ping().then(
      () => true,
      () => false,
    ),
  );
  const organisationId = rig.content.acme;
  const about = { organisationId, entityId: randomUUID(), time: new Date() };
  const records = lists.map((automationIds) => {
    const fields = { organisationId, featureKey: key, version: 2n, automationIds };
    return eventRecord(FeatureDeprecatedSchema, create(FeatureDeprecatedSchema, fields), about);
  });
  const [first] = records;
  for (const record of records) await stream.publish([sameEvent && first ? first : record]);
}
