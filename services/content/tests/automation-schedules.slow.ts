import { randomUUID } from "node:crypto";
import { AutomationRunStatus, MissedRunPolicy } from "@aiplatform/contract/aiplatform/content/v1/automations";
import {
  OrganisationRestoredSchema,
  OrganisationSuspendedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import { connectEventStream, type EventStream, eventRecord } from "@aiplatform/event-stream";
import { eventually, failureOf, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SuspendedOrganisationStore } from "../src/suspended-organisations/suspended-organisation-store.ts";
import { AutomationClient, promptStep, type WrittenSchedule } from "./automation-client.ts";
import { ContentRig } from "./content-rig.ts";
import { IdentityBeside, type KnownMember } from "./identity-beside.ts";
import { ModelServer } from "./model-server.ts";
import { daysAfter, dueThisMinute, KeptSchedules, movedOn, nextRunAt, ranAt } from "./schedule-rig.ts";

const { SUCCEEDED, FAILED } = AutomationRunStatus;
const { CATCH_UP, SKIP } = MissedRunPolicy;
const writing = ["automations:read", "automations:write"];
const running = [...writing, "automations:run"];
/** Once a year, and not while these tests run. */
const seldom = { cron: "30 2 29 2 *", timeZone: "Europe/Berlin" };

const parts = new AsyncDisposableStack();
let model: ModelServer;
let identity: IdentityBeside;
let rig: ContentRig;
let schedules: KeptSchedules;
let organisationId: string;
let publisher: KnownMember;
let automations: AutomationClient;

beforeAll(async () => {
  model = parts.use(await ModelServer.start());
  identity = parts.use(await IdentityBeside.start());
  rig = parts.use(await ContentRig.start({ replicas: 2, settings: { ...model.settings, ...identity.settings } }));
  schedules = new KeptSchedules(rig.store);
});
afterAll(async () => await parts.disposeAsync());

beforeEach(async () => {
  organisationId = randomUUID();
  publisher = await identity.newMember(organisationId, running);
  automations = automationsWith(running);
});

/** The publisher's automations, as a caller with these permissions. */
const automationsWith = (permissions: readonly string[]) =>
  new AutomationClient(rig.as({ organisationId, memberId: publisher.memberId, permissions }));

const steps = [promptStep("a", "Report of {{ event.due_at }} in {{ event.time_zone }}")];
const written = (schedule: WrittenSchedule, when = "") =>
  automations.written({ steps, trigger: { event: "schedule", when, schedule } });
const published = (schedule: WrittenSchedule, when = "") =>
  automations.published({ steps, trigger: { event: "schedule", when, schedule } });

async function endedRuns(automationId: string, count: number) {
  const runs = async () => (await automations.client.listAutomationRuns({ automationId })).runs;
  await eventually(async () => (await runs()).length >= count);
  return Promise.all((await runs()).map(({ id }) => automations.ended(id)));
}

/** Publishes an automation that is due at this minute, and whatever becomes of that, resolves when it did. */
async function dueNow(when = ""): Promise<string> {
  const { cron, today } = dueThisMinute();
  const automationId = await published({ cron, missed: CATCH_UP }, when);
  await schedules.standAt(automationId, today);
  return automationId;
}

describe("an automation with a schedule", () => {
  it("runs once at a due time, with two replicas, and reads it", async () => {
    const { cron, today } = dueThisMinute();
    const automationId = await published({ cron, missed: CATCH_UP });
    await schedules.standAt(automationId, today);
    const [run] = await endedRuns(automationId, 1);
    const due_at = today.toISOString();
    expect(run).toMatchObject({ status: SUCCEEDED, startedBy: "schedule" });
    expect(JSON.parse(run?.input?.text ?? "")).toEqual({ due_at, time_zone: "UTC" });
    expect(JSON.parse(run?.steps[0]?.output?.text ?? "")).toEqual({ text: `You said: Report of ${due_at} in UTC` });
    await movedOn(automations, automationId);
    expect(await ranAt(automations, automationId)).toEqual([due_at]);
    expect(await nextRunAt(automations, automationId)).toEqual(daysAfter(today, 1));
  });

  it("runs no second time at a due time at which it has run, although it stands there once more", async () => {
    const { cron, today } = dueThisMinute();
    const automationId = await published({ cron, missed: CATCH_UP });
    for (let count = 0; count < 2; count++) {
      await schedules.standAt(automationId, today);
      await movedOn(automations, automationId);
    }
    expect(await ranAt(automations, automationId)).toEqual([today.toISOString()]);
  });

  it("catches up with the due times that it missed, in their order, ten of them at most", async () => {
    const { cron, today } = dueThisMinute();
    const [few, many] = [await published({ cron, missed: CATCH_UP }), await published({ cron, missed: CATCH_UP })];
    await schedules.standAt(few, daysAfter(today, -2));
    await schedules.standAt(many, daysAfter(today, -40));
    for (const [automationId, count] of [
      [few, 3],
      [many, 10],
    ] as const) {
      await movedOn(automations, automationId);
      const missed = Array.from({ length: count }, (_, index) => daysAfter(today, index + 1 - count).toISOString());
      expect(await ranAt(automations, automationId)).toEqual(missed);
    }
  });

  it("leaves out due times that it missed, where it is to skip them", async () => {
    const { cron, today } = dueThisMinute(new Date(Date.now() - 600_000));
    const automationId = await published({ cron });
    await schedules.standAt(automationId, daysAfter(today, -2));
    await movedOn(automations, automationId);
    expect(await ranAt(automations, automationId)).toEqual([]);
    expect(await nextRunAt(automations, automationId)).toEqual(daysAfter(today, 1));
  });

  it("runs where its condition holds of the due time", async () => {
    const [never, always] = [await dueNow("event.time_zone == 'Mars'"), await dueNow("event.time_zone == 'UTC'")];
    await endedRuns(always, 1);
    await movedOn(automations, never);
    expect(await ranAt(automations, never)).toEqual([]);
  });

  it("says when it runs next, from its publication until it has no schedule or is disabled", async () => {
    const automationId = await written(seldom);
    expect(await nextRunAt(automations, automationId)).toBeUndefined();
    await automations.client.publishAutomation({ automationId, ifMatch: "*" });
    const next = await nextRunAt(automations, automationId);
    expect(next?.toISOString()).toMatch(/-02-29T01:30:00/);
    await automations.client.updateAutomationSettings({ automationId, enabled: false });
    expect(await nextRunAt(automations, automationId)).toBeUndefined();
    await automations.client.updateAutomationSettings({ automationId, enabled: true });
    expect(await nextRunAt(automations, automationId)).toEqual(next);
    const text = JSON.stringify(steps[0]?.json);
    const plain = [{ key: "a", name: "A", promptTemplate: { text: text.replaceAll("event.", "input.") } }];
    await automations.client.saveAutomationDraft({ automationId, steps: plain });
    expect(await nextRunAt(automations, automationId)).toEqual(next);
    await automations.client.publishAutomation({ automationId, ifMatch: "*" });
    expect(await nextRunAt(automations, automationId)).toBeUndefined();
  });

  it("is due no more once it is deleted", async () => {
    const deleted = await published(seldom);
    await automations.client.deleteAutomation({ automationId: deleted });
    const kept = rig.store.database.collection<{ _id: string }>("automation_schedules");
    expect(await kept.countDocuments({ organisation_id: organisationId })).toBe(0);
  });

  it("starts no run at due times at which it was disabled", async () => {
    const { cron, today } = dueThisMinute();
    const automationId = await published({ cron, missed: CATCH_UP });
    await schedules.standAt(automationId, daysAfter(today, 3));
    await automations.client.updateAutomationSettings({ automationId, enabled: false });
    await automations.client.updateAutomationSettings({ automationId, enabled: true });
    // What there was before is forgotten: it is due from now on.
    expect(await nextRunAt(automations, automationId)).toEqual(daysAfter(today, 1));
    await endedRuns(await dueNow(), 1);
    expect(await ranAt(automations, automationId)).toEqual([]);
  });

  it("keeps a due time that waits for its run when the same times are published again", async () => {
    const { cron, today } = dueThisMinute();
    const automationId = await published({ cron: "30 2 29 2 *", missed: CATCH_UP });
    const waiting = daysAfter(today, 5);
    await schedules.standAt(automationId, waiting);
    const step = { key: "a", name: "A", promptTemplate: { text: JSON.stringify(promptStep("a", "Changed").json) } };
    const publish = async (schedule: WrittenSchedule) => {
      const trigger = { event: "schedule", when: "", schedule };
      await automations.client.saveAutomationDraft({ automationId, steps: [step], trigger });
      await automations.client.publishAutomation({ automationId, ifMatch: "*" });
    };
    await publish({ cron: "30 2 29 2 *", missed: SKIP });
    expect(await nextRunAt(automations, automationId)).toEqual(waiting);
    await publish({ cron, missed: SKIP });
    expect(await nextRunAt(automations, automationId)).toEqual(daysAfter(today, 1));
  });
});

describe("a schedule as it is written", () => {
  const place = "trigger.schedule";
  it.each([
    ["an expression that is none", { cron: "61 * * * *" }, [[`${place}.cron`, "CRON_INVALID"]]],
    ["seconds", { cron: "0 0 6 * * *" }, [[`${place}.cron`, "CRON_INVALID"]]],
    ["a day that there is not", { cron: "0 0 30 2 *" }, [[`${place}.cron`, "SCHEDULE_NEVER_DUE"]]],
    [
      "a zone that there is not",
      { cron: "0 6 * * *", timeZone: "Mars/Base" },
      [[`${place}.time_zone`, "TIME_ZONE_UNKNOWN"]],
    ],
    [
      "both",
      { cron: "x", timeZone: "+02:00" },
      [
        [`${place}.cron`, "CRON_INVALID"],
        [`${place}.time_zone`, "TIME_ZONE_UNKNOWN"],
      ],
    ],
  ])("is not saved with %s", async (_, schedule, fields) => {
    expect(await failureOf(written(schedule))).toMatchObject({ code: Code.InvalidArgument, fields });
  });

  it.each([
    ["without the event", { event: "content.dataset.created", schedule: seldom }, [[place, "VALUE_ERROR"]]],
    ["as an event alone", { event: "schedule" }, [[place, "MISSING"]]],
  ])("is not saved %s", async (_, trigger, fields) => {
    const failure = await failureOf(automations.written({ steps, trigger }));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields });
  });

  it("is answered with its versions, in UTC and skipping where it says nothing", async () => {
    const automationId = await written({ cron: "0 6 * * *" });
    const { version } = await automations.client.getAutomationDraft({ automationId });
    expect(version?.trigger).toMatchObject({
      event: "schedule",
      schedule: { cron: "0 6 * * *", timeZone: "UTC", missed: SKIP },
    });
    expect(version?.permissionIds).toEqual(["automations:run"]);
  });
});

describe("the publisher of a schedule", () => {
  it("needs the permission to start runs", async () => {
    const automationId = await written(seldom);
    const failure = await failureOf(automationsWith(writing).client.publishAutomation({ automationId, ifMatch: "*" }));
    expect(failure).toMatchObject({
      code: Code.PermissionDenied,
      reason: "PERMISSION_MISSING",
      metadata: { permission: "automations:run" },
      message: expect.stringContaining("The trigger schedule needs it to start runs"),
    });
  });

  it("who has lost it leaves a run that has failed, until that disables the automation and its schedule", async () => {
    const { cron, today } = dueThisMinute();
    const automationId = await published({ cron, missed: CATCH_UP });
    await automations.client.updateAutomationSettings({ automationId, failuresUntilDisabled: 2 });
    await publisher.setPermissions(...writing);
    await schedules.standAt(automationId, daysAfter(today, -5));
    const error = expect.stringContaining("Starting runs on a schedule needs permission automations:run");
    await eventually(async () => (await nextRunAt(automations, automationId)) === undefined);
    expect(await endedRuns(automationId, 2)).toMatchObject([
      { status: FAILED, startedBy: "schedule", error, steps: [] },
      { status: FAILED, startedBy: "schedule", error, steps: [] },
    ]);
  });
});

describe("the schedules of a suspended organisation", () => {
  let stream: EventStream;
  let suspended: SuspendedOrganisationStore;
  beforeAll(async () => {
    const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
    const keys = serviceKeys("identity");
    stream = await connectEventStream({ servers, keys, name: "identity of the tests", streamName });
    await eventually(() =>
      stream.ping().then(
        () => true,
        () => false,
      ),
    );
    suspended = new SuspendedOrganisationStore(rig.store);
  });
  afterAll(async () => await stream.close());

  async function announce(schema: typeof OrganisationSuspendedSchema | typeof OrganisationRestoredSchema) {
    const revision = schema === OrganisationSuspendedSchema ? 1 : 2;
    const facts = { organisationId, entityId: organisationId, time: new Date() };
    await stream.publish([eventRecord(schema, create(schema, { organisationId, revision }), facts)]);
  }
  const isSuspended = async () => (await suspended.all()).has(organisationId);

  it("start no run, nor later those of that time", async () => {
    const { cron, today } = dueThisMinute();
    const automationId = await published({ cron, missed: CATCH_UP });
    await announce(OrganisationSuspendedSchema);
    await eventually(isSuspended);
    await schedules.standAt(automationId, daysAfter(today, -3));
    await announce(OrganisationRestoredSchema);
    await eventually(async () => !(await isSuspended()));
    await movedOn(automations, automationId);
    expect(await ranAt(automations, automationId)).toEqual([]);
  });
});
