import { randomUUID } from "node:crypto";
import { Outbox, withTransaction } from "@aiplatform/document-store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "../src/author.ts";
import { datasetOnce } from "../src/automation-engine/step-services.ts";
import { DatasetLimitError, maxDatasets } from "../src/datasets/dataset.ts";
import { createStores } from "../src/stores.ts";
import { ContentRig } from "./content-rig.ts";

let rig: ContentRig;
beforeAll(async () => {
  rig = await ContentRig.start();
});
afterAll(() => rig[Symbol.asyncDispose]());

describe("a dataset that a step creates", () => {
  it("is found when the step is repeated, also where it is the last that there is room for", async () => {
    const organisationId = randomUUID();
    const documents = rig.store.database.collection("datasets");
    await documents.insertMany(Array.from({ length: maxDatasets - 1 }, () => ({ organisation_id: organisationId })));
    const create = datasetOnce({
      ...createStores(rig.store),
      outbox: new Outbox(rig.store),
      transaction: (work) => withTransaction(rig.store, work),
      clock: () => new Date(),
      newId: randomUUID,
    });
    const dataset = { organisationId, author: program, name: "The last", description: "", columns: [] };
    const origin = { id: randomUUID(), cause: { requestId: randomUUID() } };
    await create(dataset, origin);
    await create(dataset, origin);
    expect(await documents.countDocuments({ organisation_id: organisationId })).toBe(maxDatasets);
    const events = rig.store.database.collection(Outbox.indexes.collection);
    expect(await events.countDocuments({ entity_id: origin.id })).toBe(1);
    await expect(create(dataset, { ...origin, id: randomUUID() })).rejects.toThrow(DatasetLimitError);
  });
});
