import { randomUUID } from "node:crypto";
import { DeploymentsOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { OrganisationDeletionRequestedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { PipelineCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectEventStream, type EventStream, eventRecord, eventSubject } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DirectoryUploads } from "../src/artifacts/directory-uploads.ts";
import { DeploymentsRig } from "./deployments-rig.ts";
import { filesBelow, instancesNaming } from "./processes-of.ts";
import { handlerSaying, ServingClient } from "./serving-client.ts";

let rig: DeploymentsRig;
let identity: EventStream;
let training: EventStream;
let organisationId: string;
/** How many instances ran when the service said that it has purged an organisation. */
const instancesAtPurge = new Map<string, number>();
const cleanUp = new AsyncDisposableStack();

beforeAll(async () => {
  rig = cleanUp.use(await DeploymentsRig.start({ replicas: 2, settings: { DRAIN_MS: "0", PURGE_SETTLE_MS: "1000" } }));
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
  const connected = async (name: "identity" | "training") => {
    const options = { servers, streamName, name: `${name} of the tests`, keys: serviceKeys(name) };
    const stream = cleanUp.use(await connectEventStream(options));
    await eventually(() => stream.incarnation() !== undefined);
    return stream;
  };
  identity = await connected("identity");
  training = await connected("training");
  identity.listen(eventSubject(DeploymentsOrganisationPurgedSchema), async ({ headers }) => {
    instancesAtPurge.set(headers.get("ce-organisation") ?? "", (await instances()).length);
  });
}, 60_000);
afterAll(() => cleanUp.disposeAsync());
beforeEach(() => {
  organisationId = randomUUID();
});

const instances = () => instancesNaming(`--allow-fs-read=${rig.home.SERVING_DIRECTORY}`);
const filesOf = async (owner: string) =>
  (await filesBelow(rig.home.ARTIFACTS_DIRECTORY)).filter((path) => path.includes(owner));

function announceDeletion(): Promise<unknown> {
  const message = create(OrganisationDeletionRequestedSchema, { organisationId, revision: 2 });
  const facts = { organisationId, entityId: organisationId, time: new Date() };
  return identity.publish([eventRecord(OrganisationDeletionRequestedSchema, message, facts)]);
}

async function announcePipeline(owner: string): Promise<string> {
  const pipelineId = randomUUID();
  const message = create(PipelineCreatedSchema, { organisationId: owner, pipelineId, name: "Late" });
  const facts = { organisationId: owner, entityId: pipelineId, time: new Date() };
  await training.publish([eventRecord(PipelineCreatedSchema, message, facts)]);
  return pipelineId;
}

/** Collections in which the organisation has a document. */
async function filledCollections(): Promise<string[]> {
  const names = await rig.store.database.listCollections({}, { nameOnly: true }).toArray();
  const counts = names.map(async ({ name }) => {
    const found = await rig.store.database.collection(name).findOne({ organisation_id: organisationId });
    return found === null ? [] : [name];
  });
  return (await Promise.all(counts)).flat().toSorted();
}

describe("deployments of a deleted organisation", () => {
  it("are ended by the reconciler, and their instances gone, before the service says that it has purged it", async () => {
    const serving = new ServingClient(rig, rig.as({ organisationId }));
    const id = await serving.deploy({ handler: handlerSaying("0") });
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    expect(await instances()).toHaveLength(1);
    const uploads = new DirectoryUploads(rig.home.ARTIFACTS_DIRECTORY);
    await uploads.write(organisationId, "0".repeat(64), { offset: 0, bytes: Buffer.from("half") });
    expect(await filesOf(organisationId)).not.toEqual([]);
    await announceDeletion();
    await eventually(() => instancesAtPurge.has(organisationId));
    expect(instancesAtPurge.get(organisationId)).toBe(0);
    expect(await filesOf(organisationId)).toEqual([]);
    // What tells of the deletion.
    expect(await filledCollections()).toEqual(["deleted_organisations", "outbox"]);
  }, 60_000);

  it("leave those of another organisation as they are", async () => {
    const other = randomUUID();
    const serving = new ServingClient(rig, rig.as({ organisationId: other }));
    const id = await serving.deploy({ handler: handlerSaying("0") });
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
    const files = await filesOf(other);
    await announceDeletion();
    await eventually(() => instancesAtPurge.has(organisationId));
    expect(instancesAtPurge.get(organisationId)).toBe(1);
    expect(await filesOf(other)).toEqual(files);
    await serving.comesTo(id, "RUNNING", "SUCCEEDED");
  }, 60_000);

  it("are not made known again by events that come later", async () => {
    await announceDeletion();
    await eventually(() => instancesAtPurge.has(organisationId));
    const late = await announcePipeline(organisationId);
    const other = await announcePipeline(randomUUID());
    const known = (id: string) =>
      rig.store.database.collection<{ _id: string }>("known_pipelines").findOne({ _id: id });
    await eventually(() => known(other).then((found) => found !== null));
    expect(await known(late)).toBeNull();
    expect(await filledCollections()).toEqual(["deleted_organisations", "outbox"]);
  });
});
