import { randomUUID } from "node:crypto";
import { type AutomationRun, AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { eventually, failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AutomationClient, promptStep, type WrittenStep } from "./automation-client.ts";
import { ContentRig } from "./content-rig.ts";
import { IdentityBeside, type KnownMember } from "./identity-beside.ts";
import { ModelServer } from "./model-server.ts";

const { FAILED } = AutomationRunStatus;
const event = "content.dataset.created";
const writing = ["automations:read", "automations:write", "automations:run"];
const reading = ["dictionary:read", ...writing];

const parts = new AsyncDisposableStack();
let model: ModelServer;
let identity: IdentityBeside;
let rig: ContentRig;
/** How far content's clock is ahead, ms. */
let ahead = 0;
let organisationId: string;
let publisher: KnownMember;
let automations: AutomationClient;

beforeAll(async () => {
  model = parts.use(await ModelServer.start());
  identity = parts.use(await IdentityBeside.start());
  const settings = { ...model.settings, ...identity.settings };
  rig = parts.use(await ContentRig.start({ settings, clock: () => new Date(Date.now() + ahead) }));
});
afterAll(async () => await parts.disposeAsync());

beforeEach(async () => {
  ahead = 0;
  organisationId = randomUUID();
  publisher = await identity.newMember(organisationId, reading);
  automations = automationsWith(reading);
});

/** The publisher's automations, as a caller with these permissions. */
const automationsWith = (permissions: readonly string[]) =>
  new AutomationClient(rig.as({ organisationId, memberId: publisher.memberId, permissions }));

const describing = promptStep("a", "Describe {{ event.name }}.");
const published = (when = "", steps: WrittenStep[] = [describing]) =>
  automations.published({ steps, trigger: { event, when } });

/** Registers a dataset, and answers its name. */
async function newDataset(): Promise<string> {
  const name = `secret ${randomUUID()}`;
  await rig.as({ organisationId }).client(DatasetService).createDataset({ name });
  return name;
}

/** The run that an event has started, once there is one. */
async function startedRun(automationId: string): Promise<AutomationRun> {
  const look = async () => (await automations.client.listAutomationRuns({ automationId })).runs[0]?.id;
  await eventually(async () => (await look()) !== undefined, "a run");
  return automations.ended((await look()) ?? "");
}

/** Texts that the model was asked with. */
const asked = () => model.asked.map(({ text }) => text).join("\n");

describe("an automation on events that its publisher may not read", () => {
  const drafted = () => automations.written({ steps: [describing], trigger: { event } });

  it("is not published, and the refusal names the trigger, the permission and what to do", async () => {
    const automationId = await drafted();
    const failure = await failureOf(automationsWith(writing).client.publishAutomation({ automationId, ifMatch: "*" }));
    expect(failure).toMatchObject({
      code: Code.PermissionDenied,
      reason: "PERMISSION_MISSING",
      metadata: { permission: "dictionary:read" },
      message: expect.stringMatching(/^Missing permission: dictionary:read\. The trigger content\.dataset\.created /),
    });
    const { versions } = await automations.client.listAutomationVersions({ automationId });
    expect(versions.map(({ publishedAt }) => publishedAt)).toEqual([undefined]);
  });

  it("is shown with the permission before and after it is published", async () => {
    const automationId = await drafted();
    const { version } = await automations.client.getAutomationDraft({ automationId });
    const answer = await automations.client.publishAutomation({ automationId, ifMatch: "*" });
    expect([version?.permissionIds, answer.published?.delegatedPermissionIds]).toEqual([
      ["dictionary:read"],
      ["dictionary:read"],
    ]);
  });
});

describe("an automation whose publisher has lost the permission to read the events that start it", () => {
  const refusal = `The trigger: Reading ${event} needs permission dictionary:read, which the publisher lacks`;

  it.each([
    ["gives nothing of them to its templates and answers", ""],
    ["does not try its condition on them", "event.name == 'another'"],
  ])("%s: each leaves a run that has failed", async (_, when) => {
    const automationId = await published(when);
    await publisher.setPermissions(...writing);
    const name = await newDataset();
    const run = await startedRun(automationId);
    const error = expect.stringContaining(refusal);
    expect(run).toMatchObject({ status: FAILED, startedBy: event, error, input: { text: "{}" }, steps: [] });
    expect(asked()).not.toContain(name);
  });

  it("reads nothing when its publisher has left", async () => {
    const automationId = await published();
    await publisher.deactivate();
    const name = await newDataset();
    const error = "The trigger: The publisher's delegation was revoked: publish it again";
    expect(await startedRun(automationId)).toMatchObject({ status: FAILED, error, input: { text: "{}" }, steps: [] });
    expect(asked()).not.toContain(name);
  });

  it("goes no further with a run that is under way", async () => {
    const held = Promise.withResolvers<string>();
    model.answer = () => held.promise;
    const automationId = await published("", [promptStep("first", "Wait."), describing]);
    const name = await newDataset();
    await eventually(() => asked().includes("Wait."), "the first step");
    await publisher.setPermissions(...writing);
    // What identity said of the publisher is remembered for less than a minute, where no message says that it has changed.
    ahead = 55_000;
    held.resolve("now");
    const run = await startedRun(automationId);
    expect(run.error).toContain(`Step "a": Reading ${event} needs permission dictionary:read`);
    expect(asked()).not.toContain(name);
  });
});

describe("an automation of a suspended organisation", () => {
  it("reads no event: each leaves a run that has failed, and keeps no others' events waiting", async () => {
    const suspended = await identity.newOrganisation();
    organisationId = suspended.organisationId;
    publisher = await identity.newMember(organisationId, reading);
    automations = automationsWith(reading);
    const automationId = await published();
    await suspended.suspend();
    const name = await newDataset();
    const error = "The trigger: the organisation was suspended";
    expect(await startedRun(automationId)).toMatchObject({ status: FAILED, error, input: { text: "{}" }, steps: [] });
    expect(asked()).not.toContain(name);
  });
});

describe("an automation that was published before events had permissions", () => {
  it("reads no event until it is published again", async () => {
    const automationId = await published();
    const { database } = rig.store;
    const nothing = { delegation_id: null, delegated_digest: null };
    await database.collection("automation_versions").updateOne({ automation_id: automationId }, { $set: nothing });
    const inAutomation = { "current_version.delegation_id": null, "current_version.delegated_digest": null };
    await database.collection<{ _id: string }>("automations").updateOne({ _id: automationId }, { $set: inAutomation });
    await newDataset();
    const error = "The trigger: This version has no delegation: publish it again";
    expect(await startedRun(automationId)).toMatchObject({ status: FAILED, error, input: { text: "{}" } });
  });
});
