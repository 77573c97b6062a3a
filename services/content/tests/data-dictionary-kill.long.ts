import { setTimeout as pause } from "node:timers/promises";
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { connectDocumentStore, type DocumentStore, Outbox, withTransaction } from "@aiplatform/document-store";
import { newTestEnvironment, ServiceProcess, TestClient } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyPermission, program } from "./content-rig.ts";

const home = newTestEnvironment("content");
const service = new ServiceProcess({ program, home });
let store: DocumentStore;
beforeAll(async () => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
  store = await connectDocumentStore({ uri, database, appName: "content tests" });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  // Not dropped: the server may keep what a killed process's transaction holds for another minute.
  await store.close();
});

const size = 300;
const names = Array.from({ length: size }, (_, index) => `column ${index}`);
/** A patch that writes the same text to every entry. */
const patchOf = (round: number) => names.map((name) => ({ name, description: `written ${round}` }));

/** What is stored of a dataset, at one instant. */
const stored = (datasetId: string) =>
  withTransaction(store, async (session) => {
    const collection = (name: string) => store.database.collection(name);
    const entries = await collection("dictionary_entries").find({ dataset_id: datasetId }, { session }).toArray();
    const changes = await collection("dictionary_changes").find({ dataset_id: datasetId }, { session }).toArray();
    const events = await collection(Outbox.indexes.collection).find({ entity_id: datasetId }, { session }).toArray();
    return {
      texts: new Set(entries.map(({ description }) => description)),
      entries: entries.length,
      changes: changes.length,
      versions: new Set(changes.map(({ version }) => version)).size,
      events: events.length,
    };
  });

describe("a service that is killed while it writes to a dictionary", () => {
  it.each([0, 30])("leaves each patch whole or not at all, after %d ms of the last one", async (delayMs) => {
    await service.start();
    using caller = new TestClient(service.address, { permissions: everyPermission, organisationId: "acme" });
    const { dataset } = await caller.client(DatasetService).createDataset({ name: "sales" });
    const datasetId = dataset?.id ?? "";
    const { patchDataDictionary } = caller.client(DataDictionaryService);
    const answered = 3;
    for (let round = 1; round <= answered; round++) {
      await patchDataDictionary({ datasetId, entries: patchOf(round) });
    }
    const last = patchDataDictionary({ datasetId, entries: patchOf(answered + 1) }).then(
      () => true,
      () => false,
    );
    await pause(delayMs);
    await service.kill();
    const isAnswered = await last;
    const after = await stored(datasetId);
    const written = after.changes / size;
    // What was answered is there; what was under way is there as a whole, or not.
    expect([answered + 1, ...(isAnswered ? [] : [answered])]).toContain(written);
    expect(after).toEqual({
      texts: new Set([`written ${written}`]),
      entries: size,
      changes: size * written,
      versions: written,
      // One that the dataset was registered, and one for each patch.
      events: 1 + written,
    });
  });
});
