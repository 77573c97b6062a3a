import { randomUUID } from "node:crypto";
import { OrganisationDeletionRequestedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { connectEventStream, type EventStream, eventRecord, eventSubject } from "@aiplatform/event-stream";
import type { RunningService } from "@aiplatform/service-host";
import { callers, dropDatabase, environmentOf, eventually, newTestEnvironment, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startNotes } from "./fifth-service.ts";
import { NotesPurgedSchema } from "./note-event.ts";

interface Purge {
  _id: string;
  state: string;
  deleted_at: Date;
  due_at: Date;
  holder: string | null;
}

interface Note {
  _id: string;
  organisation_id: string;
}

const cleanUp = new AsyncDisposableStack();
const home = newTestEnvironment("notes");
const settings = environmentOf(home, { PURGE_SETTLE_MS: "1500" });
let store: DocumentStore;
let stream: EventStream;
let services: RunningService[];
let organisationId: string;
/** Organisations that the service said it has purged. */
const purged: string[] = [];

beforeAll(async () => {
  store = await connectDocumentStore({ uri: home.MONGODB_URI, database: home.MONGODB_DATABASE, appName: "test" });
  cleanUp.defer(async () => {
    await dropDatabase(store);
    await store.close();
  });
  services = [await startNotes(settings, callers), await startNotes(settings, callers)];
  cleanUp.defer(() => Promise.all(services.map((service) => service.stop())).then(() => undefined));
  const [servers, streamName] = [home.NATS_URL, home.NATS_STREAM];
  const keys = serviceKeys("identity");
  stream = cleanUp.use(await connectEventStream({ servers, streamName, name: "identity of the tests", keys }));
  stream.listen(eventSubject(NotesPurgedSchema), ({ headers }) => {
    purged.push(headers.get("ce-organisation") ?? "");
  });
  await eventually(() => stream.incarnation() !== undefined);
});
afterAll(() => cleanUp.disposeAsync());
beforeEach(() => {
  organisationId = randomUUID();
});

const notes = () => store.database.collection<Note>("notes");
const purges = () => store.database.collection<Purge>("deleted_organisations");
const note = (owner: string) => ({ _id: randomUUID(), organisation_id: owner });
const left = (owner: string) => notes().countDocuments({ organisation_id: owner });
const purge = () => purges().findOne({ _id: organisationId });
const isIn = (state: string) => async () => (await purge())?.state === state;

function announceDeletion(revision = 2) {
  const message = create(OrganisationDeletionRequestedSchema, { organisationId, revision });
  const facts = { organisationId, entityId: organisationId, time: new Date() };
  return stream.publish([eventRecord(OrganisationDeletionRequestedSchema, message, facts)]);
}

/** Has the last pass fall due, as it does once no event from before the deletion can come again. */
async function letTimePass(): Promise<void> {
  const longAgo = new Date(0);
  await purges().updateOne({ _id: organisationId }, { $set: { deleted_at: longAgo, due_at: longAgo } });
}

describe("a service that hears that an organisation is deleted", () => {
  it("removes what the organisation has, says so once, and takes nothing from another one", async () => {
    const other = randomUUID();
    await notes().insertMany([...Array.from({ length: 1_200 }, () => note(organisationId)), note(other)]);
    await announceDeletion();
    await announceDeletion(3);
    await eventually(isIn("purged"));
    await eventually(() => purged.includes(organisationId));
    expect([await left(organisationId), await left(other)]).toEqual([0, 1]);
    expect(purged.filter((each) => each === organisationId)).toHaveLength(1);
  });

  it("says so only when it has looked again after everything that had begun is over", async () => {
    await notes().insertOne(note(organisationId));
    await announceDeletion();
    await eventually(async () => (await purge()) !== null && (await left(organisationId)) === 0);
    expect(await purge()).toMatchObject({ state: "purging" });
    // A call that had begun before the deletion.
    await notes().insertOne(note(organisationId));
    await eventually(isIn("purged"));
    expect(await left(organisationId)).toBe(0);
  });

  it("removes what came after that as well, when nothing can come any longer, and then rests", async () => {
    await announceDeletion();
    await eventually(isIn("purged"));
    await notes().insertOne(note(organisationId));
    await letTimePass();
    await eventually(isIn("settled"));
    expect(await left(organisationId)).toBe(0);
    expect(await purge()).toMatchObject({ open: false, holder: null });
    await eventually(() => purged.includes(organisationId));
    expect(purged.filter((each) => each === organisationId)).toHaveLength(1);
  });

  it("goes on with what a process was at that is gone", async () => {
    const gone = { state: "purging", open: true, holder: "a process that was killed", failures: 0 };
    const times = { deleted_at: new Date(0), due_at: new Date(Date.now() + 2_000) };
    await notes().insertOne(note(organisationId));
    await store.database
      .collection<Purge>("deleted_organisations")
      .insertOne({ ...{ _id: organisationId, organisation_id: organisationId }, ...gone, ...times });
    await eventually(isIn("settled"));
    expect(await left(organisationId)).toBe(0);
    await eventually(() => purged.includes(organisationId));
  });
});
