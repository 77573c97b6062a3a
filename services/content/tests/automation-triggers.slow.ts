import { randomUUID } from "node:crypto";
import { AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { DatasetVersionReadySchema } from "@aiplatform/contract/aiplatform/events/v1/data";
import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectEventStream, type EventStream, eventRecord } from "@aiplatform/event-stream";
import { callers, environmentOf, eventually, failureOf, serviceKeys } from "@aiplatform/testkit";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig, startContentService } from "../src/index.ts";
import { AutomationClient, promptStep } from "./automation-client.ts";
import { ContentRig, everyPermission } from "./content-rig.ts";
import { IdentityBeside } from "./identity-beside.ts";
import { ModelServer } from "./model-server.ts";

const { SUCCEEDED, FAILED } = AutomationRunStatus;

/** What publishers hold: their triggers name events of content, training and data. */
const permissions = [...everyPermission, "metrics:read", "data:read"];

let model: ModelServer;
let identity: IdentityBeside;
let rig: ContentRig;
let stream: EventStream;
let streamOfData: EventStream;
let organisationId: string;
let automations: AutomationClient;

beforeAll(async () => {
  model = await ModelServer.start();
  identity = await IdentityBeside.start();
  rig = await ContentRig.start({ settings: { ...model.settings, ...identity.settings } });
  stream = await streamOf("training");
  streamOfData = await streamOf("data");
});
afterAll(async () => {
  await stream.close();
  await streamOfData.close();
  await rig[Symbol.asyncDispose]();
  await identity[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});
beforeEach(async () => {
  organisationId = randomUUID();
  const credentialId = await identity.newKey(organisationId, permissions);
  automations = new AutomationClient(rig.as({ organisationId, permissions, credentialId }));
});

/** The stream of events, as this service publishes to it. */
async function streamOf(service: "training" | "data"): Promise<EventStream> {
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  const made = await connectEventStream({
    servers,
    keys: serviceKeys(service),
    name: `${service} of the tests`,
    streamName,
  });
  await eventually(() =>
    made.ping().then(
      () => true,
      () => false,
    ),
  );
  return made;
}

/** A job's end, as training tells it. */
function completed(
  message: MessageInitShape<typeof JobCompletedSchema>,
  facts: { time?: Date; credentialId?: string } = {},
) {
  const whole = create(JobCompletedSchema, { organisationId, runId: randomUUID(), jobName: "evaluate", ...message });
  const { time = new Date(), credentialId } = facts;
  const cause = credentialId === undefined ? {} : { cause: { credentialId } };
  return eventRecord(JobCompletedSchema, whole, { organisationId, entityId: whole.runId, time, ...cause });
}

const watching = (when = "") =>
  automations.published({
    steps: [promptStep("a", "{{ event.job_name }}: {{ event.metrics.accuracy }}")],
    trigger: { event: "training.job.completed", when },
  });

const runsOf = async (automationId: string) => (await automations.client.listAutomationRuns({ automationId })).runs;

/** The runs of an automation once there are so many, and all have ended. */
async function endedRuns(automationId: string, count: number) {
  await eventually(async () => (await runsOf(automationId)).length >= count);
  return Promise.all((await runsOf(automationId)).map(({ id }) => automations.ended(id)));
}

/** Registers a dataset, and resolves once whatever it starts is started: one replica sees events in their order. */
async function everythingIsSeen() {
  const steps = [promptStep("a")];
  const automationId = await automations.published({ steps, trigger: { event: "content.dataset.created" } });
  await rig.as({ organisationId }).client(DatasetService).createDataset({ name: "sales" });
  await endedRuns(automationId, 1);
}

describe("an automation with a trigger", () => {
  it("runs on each event of its organisation, and reads it", async () => {
    const automationId = await watching();
    await stream.publish([completed({ metrics: { accuracy: 0.5 } })]);
    const [run] = await endedRuns(automationId, 1);
    expect(run).toMatchObject({ status: SUCCEEDED, startedBy: "training.job.completed" });
    expect(JSON.parse(run?.input?.text ?? "")).toMatchObject({
      organisation_id: organisationId,
      metrics: { accuracy: 0.5 },
    });
    expect(JSON.parse(run?.steps[0]?.output?.text ?? "")).toEqual({ text: "You said: evaluate: 0.5" });
  });

  it("runs on what content itself announces", async () => {
    const automationId = await automations.published({
      steps: [promptStep("a", "{{ event.name }}")],
      trigger: { event: "content.dataset.created" },
    });
    await rig.as({ organisationId }).client(DatasetService).createDataset({ name: "sales" });
    expect(await endedRuns(automationId, 1)).toMatchObject([
      { status: SUCCEEDED, startedBy: "content.dataset.created" },
    ]);
  });

  it("runs on data that can be used, with what the data service tells of it", async () => {
    const datasetId = randomUUID();
    const automationId = await automations.published({
      steps: [promptStep("a", "Version {{ event.number }} has {{ event.row_count }} rows")],
      trigger: {
        event: "data.dataset_version.ready",
        when: `event.dataset_id == "${datasetId}" and event.row_count > 100`,
      },
    });
    const ready = (message: MessageInitShape<typeof DatasetVersionReadySchema>) => {
      const whole = create(DatasetVersionReadySchema, { organisationId, datasetVersionId: randomUUID(), ...message });
      const facts = { organisationId, entityId: whole.datasetVersionId, time: new Date() };
      return eventRecord(DatasetVersionReadySchema, whole, facts);
    };
    await streamOfData.publish([
      ready({ datasetId: randomUUID(), number: 7, rowCount: 2_000n }),
      ready({ datasetId, number: 1, rowCount: 99n }),
      ready({ datasetId, number: 2, rowCount: 5_000_000_000n, contentSha256: "ab" }),
    ]);
    const [run, ...others] = await endedRuns(automationId, 1);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ status: SUCCEEDED, startedBy: "data.dataset_version.ready" });
    expect(JSON.parse(run?.input?.text ?? "")).toMatchObject({
      dataset_id: datasetId,
      row_count: 5_000_000_000,
      content_sha256: "ab",
    });
    expect(JSON.parse(run?.steps[0]?.output?.text ?? "")).toEqual({ text: "You said: Version 2 has 5000000000 rows" });
  });

  it("runs where its condition holds", async () => {
    const automationId = await watching("event.job_name == 'evaluate' and event.metrics.accuracy < 0.9");
    const [good, bad] = [{ accuracy: 0.95 }, { accuracy: 0.7 }];
    const other = completed({ jobName: "train", metrics: { accuracy: 0.1 } });
    await stream.publish([completed({ metrics: good }), other, completed({ metrics: bad })]);
    await everythingIsSeen();
    const runs = await endedRuns(automationId, 1);
    expect(runs.map(({ input }) => JSON.parse(input?.text ?? "").metrics)).toEqual([{ accuracy: 0.7 }]);
  });

  it("does not run on what happened before it was published, in another organisation, or by an automation", async () => {
    const automationId = await watching();
    const elsewhere = create(JobCompletedSchema, { organisationId: rig.globex, runId: randomUUID() });
    const facts = { organisationId: rig.globex, entityId: elsewhere.runId, time: new Date() };
    await stream.publish([
      completed({}, { time: new Date(Date.now() - 60_000) }),
      eventRecord(JobCompletedSchema, elsewhere, facts),
      completed({}, { credentialId: `automation:${randomUUID()}` }),
      completed({}, { credentialId: `delegation:${randomUUID()}` }),
    ]);
    await everythingIsSeen();
    expect(await runsOf(automationId)).toEqual([]);
  });

  it("does not run while it is disabled, nor later on what it missed", async () => {
    const automationId = await watching();
    await automations.client.updateAutomationSettings({ automationId, enabled: false });
    await stream.publish([completed({})]);
    await everythingIsSeen();
    await automations.client.updateAutomationSettings({ automationId, enabled: true });
    expect(await runsOf(automationId)).toEqual([]);
  });

  it("has failed where its condition cannot be answered, and is disabled when that goes on", async () => {
    const automationId = await watching("(1..1000000000) contains event.job_name");
    await automations.client.updateAutomationSettings({ automationId, failuresUntilDisabled: 2 });
    await stream.publish([completed({}), completed({})]);
    const runs = await endedRuns(automationId, 2);
    const error = expect.stringMatching(/^The condition of the trigger: memory alloc limit exceeded/);
    expect(runs).toMatchObject([
      { status: FAILED, error, steps: [] },
      { status: FAILED, error, steps: [] },
    ]);
    const { settings } = await automations.client.getAutomationSettings({ automationId });
    expect(settings).toMatchObject({ enabled: false, disabledReason: "2 runs in a row failed" });
  });

  it.each([
    ["an event that there is not", { event: "training.job.won" }, [["trigger.event", "UNKNOWN_EVENT"]]],
    ["an event of its own runs", { event: "content.automation_run.ended" }, [["trigger.event", "UNKNOWN_EVENT"]]],
    [
      "half a condition",
      { event: "training.job.completed", when: "event.a <" },
      [["trigger.when", "TEMPLATE_INVALID"]],
    ],
  ])("is not saved with %s", async (_, trigger, fields) => {
    const failure = await failureOf(automations.written({ steps: [promptStep("a")], trigger }));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields });
  });

  it("answers its trigger with its versions, and loses it with a draft that has none", async () => {
    const automationId = await watching("event.job_name == 'a'");
    const trigger = { event: "training.job.completed", when: "event.job_name == 'a'" };
    const versions = async () => (await automations.client.listAutomationVersions({ automationId })).versions;
    expect(await versions()).toMatchObject([{ trigger }]);
    const promptTemplate = { text: JSON.stringify(promptStep("a").json) };
    await automations.client.saveAutomationDraft({ automationId, steps: [{ key: "a", name: "A", promptTemplate }] });
    expect((await versions()).map((version) => version.trigger !== undefined)).toEqual([false, true]);
    await automations.client.publishAutomation({ automationId, ifMatch: "*" });
    await stream.publish([completed({ jobName: "a" })]);
    await everythingIsSeen();
    expect(await runsOf(automationId)).toEqual([]);
  });
});

/** How often the database was asked meanwhile for something of an organisation in the collections of automations. */
async function asked(about: string, work: () => Promise<unknown>): Promise<number> {
  const { database } = rig.store;
  const ns = { $in: ["automations", "automation_runs"].map((name) => `${database.databaseName}.${name}`) };
  await database.command({ profile: 2 });
  try {
    await work();
  } finally {
    await database.command({ profile: 0 });
  }
  const noted = await database.collection("system.profile").find({ ns }).toArray();
  return noted.filter((operation) => JSON.stringify(operation).includes(about)).length;
}

describe("five hundred events with which no automation has to do", () => {
  it("cost a few looks at indexes together: each cost a find and an update", async () => {
    const automationId = await watching("event.job_name == 'evaluate'");
    const others = Array.from({ length: 500 }, () => {
      const message = create(JobCompletedSchema, { organisationId: rig.globex, runId: randomUUID() });
      return eventRecord(JobCompletedSchema, message, {
        organisationId: rig.globex,
        entityId: message.runId,
        time: new Date(),
      });
    });
    const operations = await asked(rig.globex, async () => {
      await stream.publish([...others, completed({})]);
      await endedRuns(automationId, 1);
    });
    expect(operations).toBeGreaterThan(0);
    expect(operations).toBeLessThan(100);
  });
});

describe("an automation whose events come again, because the stream was lost", () => {
  it("runs no second time on any of them", async () => {
    const settings = { ...model.settings, ...identity.settings };
    await using lost = await ContentRig.start({ settings });
    const trigger = { event: "content.dataset.created" };
    const publisher = { permissions, credentialId: await identity.newKey(lost.acme, permissions) };
    const before = new AutomationClient(lost.as(publisher));
    const automationId = await before.published({ steps: [promptStep("a")], trigger });
    const create = (replica: number) => lost.as({}, replica).client(DatasetService).createDataset({ name: "sales" });
    await create(0);
    await eventually(async () => (await before.client.listAutomationRuns({ automationId })).runs.length === 1);
    await lost.services[0]?.stop();
    // Everything that was published is published again into a stream that is another.
    const home = { ...lost.home, NATS_STREAM: `${lost.home.NATS_STREAM}_anew` };
    const config = readConfig(environmentOf(home, settings));
    lost.services.push(await startContentService(config, { callers }));
    const after = new AutomationClient(lost.as(publisher, 1));
    const published = lost.store.database.collection("outbox");
    await eventually(async () => (await published.countDocuments({ published: false })) === 0);
    await create(1);
    const runs = async () => (await after.client.listAutomationRuns({ automationId })).runs;
    await eventually(async () => (await runs()).length > 1);
    expect(await runs()).toHaveLength(2);
  });
});
