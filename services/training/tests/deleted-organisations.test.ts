import { randomUUID } from "node:crypto";
import { OrganisationDeletionRequestedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { TrainingOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectEventStream, type EventStream, eventRecord, eventSubject } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
let identity: EventStream;
const purged: string[] = [];
const cleanUp = new AsyncDisposableStack();

beforeAll(async () => {
  rig = cleanUp.use(await TrainingRig.start({ replicas: 2, settings: { PURGE_SETTLE_MS: "1000" } }));
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  const options = { servers, streamName, name: "identity of the tests", keys: serviceKeys("identity") };
  identity = cleanUp.use(await connectEventStream(options));
  identity.listen(eventSubject(TrainingOrganisationPurgedSchema), ({ headers }) => {
    purged.push(headers.get("ce-organisation") ?? "");
  });
  await eventually(() => identity.incarnation() !== undefined);
}, 60_000);
afterAll(() => cleanUp.disposeAsync());

/** A run with commands, whose log has entries that were published and such that were not. */
async function newRun(organisationId: string): Promise<string> {
  const { runs } = rig.as({ organisationId });
  const { pipeline } = await runs.createPipeline({ name: "pipeline", idempotencyKey: randomUUID() });
  const jobs = [{ name: "train" }, { name: "distil" }];
  const { run } = await runs.createRun({ pipelineId: pipeline?.id ?? "", name: "run", jobs });
  return run?.id ?? "";
}

/** Collections in which the organisation has a document, and which of its events are kept. */
async function left(organisationId: string): Promise<string[]> {
  const names = await rig.store.database.listCollections({}, { nameOnly: true }).toArray();
  const counts = names.map(async ({ name }) => {
    const found = await rig.store.database.collection(name).findOne({ organisation_id: organisationId });
    return found === null ? [] : [name];
  });
  return (await Promise.all(counts)).flat().toSorted();
}

describe("what training has of a deleted organisation", () => {
  it("is removed by one of its replicas, which says so once; what another one has stays", async () => {
    const [organisationId, other] = [randomUUID(), randomUUID()];
    await newRun(organisationId);
    const runId = await newRun(other);
    const before = await left(other);
    expect(await left(organisationId)).toEqual(before);
    const message = create(OrganisationDeletionRequestedSchema, { organisationId, revision: 2 });
    const facts = { organisationId, entityId: organisationId, time: new Date() };
    await identity.publish([eventRecord(OrganisationDeletionRequestedSchema, message, facts)]);
    await eventually(() => purged.includes(organisationId));
    expect(await left(organisationId)).toEqual(["deleted_organisations", "outbox"]);
    expect(await rig.store.database.collection("outbox").countDocuments({ organisation_id: organisationId })).toBe(1);
    expect(purged).toEqual([organisationId]);
    expect(await left(other)).toEqual(before);
    expect((await rig.as({ organisationId: other }).runs.getRun({ runId })).run?.id).toBe(runId);
  });
});
