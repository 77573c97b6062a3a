import { randomUUID } from "node:crypto";
import { AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import {
  OrganisationRestoredSchema,
  OrganisationSuspendedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import { connectEventStream, type EventStream, eventRecord } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SuspendedOrganisationStore } from "../src/suspended-organisations/suspended-organisation-store.ts";
import { AutomationClient, promptStep } from "./automation-client.ts";
import { ContentRig } from "./content-rig.ts";
import { ModelServer } from "./model-server.ts";

const { SUCCEEDED } = AutomationRunStatus;

let model: ModelServer;
let rig: ContentRig;
let stream: EventStream;
let suspended: SuspendedOrganisationStore;
let organisationId: string;
let automations: AutomationClient;

beforeAll(async () => {
  model = await ModelServer.start();
  rig = await ContentRig.start({ settings: { ...model.settings, AUTOMATION_LEASE_MS: "1000" } });
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
afterAll(async () => {
  await stream.close();
  await rig[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});
beforeEach(() => {
  organisationId = randomUUID();
  automations = new AutomationClient(rig.as({ organisationId }));
});

const announce = (schema: typeof OrganisationSuspendedSchema | typeof OrganisationRestoredSchema, revision: number) =>
  stream.publish([
    eventRecord(schema, create(schema, { organisationId, revision }), {
      organisationId,
      entityId: organisationId,
      time: new Date(),
    }),
  ]);
const isWaiting = async () => (await suspended.all()).has(organisationId);
async function suspend(revision = 1): Promise<void> {
  await announce(OrganisationSuspendedSchema, revision);
  await eventually(isWaiting);
}
const restore = (revision = 2) => announce(OrganisationRestoredSchema, revision);

describe("the automations of a suspended organisation", () => {
  it("are not run until it is restored, while others' are", async () => {
    const text = `asked ${randomUUID()}`;
    const automationId = await automations.published({ steps: [promptStep("a", text)] });
    await suspend();
    const runId = await automations.started(automationId);
    const others = new AutomationClient(rig.as({ organisationId: randomUUID() }));
    expect((await others.ran(await others.published({ steps: [promptStep("b")] }))).status).toBe(SUCCEEDED);
    expect(model.asked.filter((prompt) => prompt.text === text)).toEqual([]);
    await restore();
    expect((await automations.ended(runId)).status).toBe(SUCCEEDED);
  });
});

describe("what is known of an organisation", () => {
  it("is the latest change, in whichever order the changes are heard", async () => {
    await restore(2);
    await announce(OrganisationSuspendedSchema, 1);
    await suspend(3);
    await restore(4);
    await eventually(async () => !(await isWaiting()));
    await announce(OrganisationSuspendedSchema, 1);
    // One consumer hands events on in their order: once this is known, the one before it was heard.
    const before = organisationId;
    organisationId = randomUUID();
    await suspend();
    expect((await suspended.all()).has(before)).toBe(false);
  });
});
