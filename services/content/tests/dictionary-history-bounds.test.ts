import { randomUUID } from "node:crypto";
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { callers, environmentOf, eventually, type TestClient } from "@aiplatform/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { boundHistories, historyBounds } from "../src/data-dictionaries/bound-histories.ts";
import { readConfig, startContentService } from "../src/index.ts";
import { createStores } from "../src/stores.ts";
import { ContentRig } from "./content-rig.ts";

let rig: ContentRig;
let person: TestClient;
beforeAll(async () => {
  rig = await ContentRig.start();
  person = rig.member();
});
afterAll(async () => rig[Symbol.asyncDispose]());

/** A dataset whose entries were given these texts, one write after the other. */
async function dictionaryOf(...writes: [name: string, description: string][]): Promise<string> {
  const { dataset } = await person.client(DatasetService).createDataset({ name: "sales" });
  const datasetId = dataset?.id ?? "";
  for (const [name, description] of writes)
    await person.client(DataDictionaryService).patchDataDictionary({ datasetId, entries: [{ name, description }] });
  return datasetId;
}

const history = async (datasetId: string, limit = 1_000) => {
  const answer = await person.client(DataDictionaryService).listDataDictionaryHistory({ datasetId, limit });
  return answer.changes.map(({ name, description }) => `${name}=${description}`);
};
const bound = (bounds: Partial<typeof historyBounds>) =>
  boundHistories(createStores(rig.store), { ofEntry: 100, ofDictionary: 100, slack: 1, ...bounds });

describe("a history that has grown", () => {
  // What others wrote has been seen to.
  beforeEach(() => bound({}));

  it("keeps the newest changes of each entry, and the entries as they are", async () => {
    const datasetId = await dictionaryOf(["a", "1"], ["b", "1"], ["a", "2"], ["a", "3"], ["b", "2"]);
    const entries = () => person.client(DataDictionaryService).getDataDictionary({ datasetId });
    const before = (await entries()).entries;
    expect(await bound({ ofEntry: 2 })).toBe(1);
    expect(await history(datasetId)).toEqual(["b=2", "a=3", "a=2", "b=1"]);
    expect((await entries()).entries).toEqual(before);
  });

  it("keeps the newest changes of the dictionary, also of those that were made together", async () => {
    const datasetId = await dictionaryOf(["a", "1"]);
    const together = ["b", "c", "d"].map((name) => ({ name, description: "1" }));
    await person.client(DataDictionaryService).patchDataDictionary({ datasetId, entries: together });
    expect(await bound({ ofDictionary: 2 })).toBe(2);
    expect(await history(datasetId)).toEqual(["d=1", "c=1"]);
  });

  it("is looked at again once there were as many changes as it may exceed its bounds by", async () => {
    const datasetId = await dictionaryOf(["a", "1"], ["a", "2"], ["a", "3"]);
    expect(await bound({ ofEntry: 1, slack: 4 })).toBe(0);
    expect(await bound({ ofEntry: 1, slack: 3 })).toBe(2);
    const entries = [{ name: "a", description: "4" }];
    await person.client(DataDictionaryService).patchDataDictionary({ datasetId, entries });
    expect(await bound({ ofEntry: 1, slack: 2 })).toBe(0);
    expect(await history(datasetId)).toEqual(["a=4", "a=3"]);
  });

  it("is looked at again when a look was cut short", async () => {
    const datasetId = await dictionaryOf(["a", "1"], ["a", "2"]);
    const { dictionaries } = createStores(rig.store);
    const prune = () => Promise.reject(new Error("killed"));
    const bounds = { ofEntry: 1, ofDictionary: 1, slack: 1 };
    await expect(boundHistories({ dictionaries, entryChanges: { prune } }, bounds)).rejects.toThrow("killed");
    expect(await bound({ ofEntry: 1 })).toBe(1);
    expect(await history(datasetId)).toEqual(["a=2"]);
  });

  it("is bounded once, and no other is forgotten about, when several look at once", async () => {
    const grown = await dictionaryOf(["a", "1"], ["a", "2"], ["a", "3"]);
    await Promise.all(Array.from({ length: 4 }, () => bound({ ofEntry: 1 })));
    expect(await history(grown)).toEqual(["a=3"]);
    const heads = rig.store.database.collection("dictionaries").find({ changes: { $ne: 0 } });
    expect(await heads.toArray()).toEqual([]);
  });

  it("is bounded by the service itself", async () => {
    const datasetId = await dictionaryOf(["a", "1"]);
    const changes = rig.store.database.collection<{ _id: string }>("dictionary_changes");
    const [newest] = await changes.find({ dataset_id: datasetId }).toArray();
    const older = Array.from({ length: historyBounds.ofEntry + historyBounds.slack }, (_, index) => {
      return { ...newest, _id: randomUUID(), version: -index };
    });
    await changes.insertMany(older);
    const heads = rig.store.database.collection<{ _id: string }>("dictionaries");
    await heads.updateOne({ _id: datasetId }, { $inc: { changes: older.length } });
    await using service = await startContentService(readConfig(environmentOf(rig.home)), { callers });
    const left = () => changes.countDocuments({ dataset_id: datasetId });
    await eventually(async () => (await left()) <= historyBounds.ofEntry);
    expect(await left()).toBe(historyBounds.ofEntry);
    expect(await history(datasetId, 1)).toEqual(["a=1"]);
    expect(service.addresses.grpc).not.toBe("");
  });
});
