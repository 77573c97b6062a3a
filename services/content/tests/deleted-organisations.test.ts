import { randomUUID } from "node:crypto";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { ContentOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import {
  OrganisationDeletionRequestedSchema,
  OrganisationSuspendedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import { connectEventStream, type EventStream, eventRecord, eventSubject } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SuspendedOrganisationStore } from "../src/suspended-organisations/suspended-organisation-store.ts";
import { AutomationClient, promptStep } from "./automation-client.ts";
import { ContentRig } from "./content-rig.ts";
import { ModelServer } from "./model-server.ts";

let model: ModelServer;
let rig: ContentRig;
let identity: EventStream;
let organisationId: string;
const purged: string[] = [];
const cleanUp = new AsyncDisposableStack();

beforeAll(async () => {
  model = cleanUp.use(await ModelServer.start());
  const settings = { ...model.settings, AUTOMATION_LEASE_MS: "1000", PURGE_SETTLE_MS: "1000" };
  rig = cleanUp.use(await ContentRig.start({ replicas: 2, settings }));
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  const options = { servers, streamName, name: "identity of the tests", keys: serviceKeys("identity") };
  identity = cleanUp.use(await connectEventStream(options));
  identity.listen(eventSubject(ContentOrganisationPurgedSchema), ({ headers }) => {
    purged.push(headers.get("ce-organisation") ?? "");
  });
  await eventually(() => identity.incarnation() !== undefined);
}, 60_000);
afterAll(() => cleanUp.disposeAsync());
beforeEach(() => {
  organisationId = randomUUID();
});

const announce = (
  schema: typeof OrganisationDeletionRequestedSchema | typeof OrganisationSuspendedSchema,
  revision: number,
  owner = organisationId,
) => {
  const message = create(schema, { organisationId: owner, revision });
  return identity.publish([eventRecord(schema, message, { organisationId: owner, entityId: owner, time: new Date() })]);
};
async function purge(): Promise<void> {
  await announce(OrganisationSuspendedSchema, 1);
  await announce(OrganisationDeletionRequestedSchema, 2);
  await eventually(() => purged.includes(organisationId));
}

/** Collections in which the organisation has a document. */
async function left(): Promise<string[]> {
  const names = await rig.store.database.listCollections({}, { nameOnly: true }).toArray();
  const counts = names.map(async ({ name }) => {
    const filter = { $or: [{ organisation_id: organisationId }, { _id: organisationId }] };
    const found = await rig.store.database.collection<{ _id: string }>(name).findOne(filter);
    return found === null ? [] : [name];
  });
  return (await Promise.all(counts)).flat().toSorted();
}

describe("what content has of a deleted organisation", () => {
  it("is removed, while a run of an automation is under way, and nothing of the run comes back", async () => {
    const caller = rig.as({ organisationId });
    await caller.client(DatasetService).createDataset({ name: "Orders", columns: [{ name: "price" }] });
    const automations = new AutomationClient(caller);
    const text = `asked ${randomUUID()}`;
    await automations.started(await automations.published({ steps: [promptStep("a", text), promptStep("b", text)] }));
    expect(await left()).toContain("automation_runs");
    await purge();
    expect(await left()).toEqual(["deleted_organisations", "outbox"]);
    expect(purged.filter((each) => each === organisationId)).toHaveLength(1);
  });

  it("is not known again when an event about it comes late", async () => {
    await purge();
    await announce(OrganisationSuspendedSchema, 3);
    // One consumer hands events on in their order: once this is known, the one before it was heard.
    const other = randomUUID();
    await announce(OrganisationSuspendedSchema, 1, other);
    const suspended = new SuspendedOrganisationStore(rig.store);
    await eventually(async () => (await suspended.all()).has(other));
    expect((await suspended.all()).has(organisationId)).toBe(false);
    expect(await left()).toEqual(["deleted_organisations", "outbox"]);
  });
});
