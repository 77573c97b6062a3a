import { connectDocumentStore, createIndexes, type DocumentStore } from "@aiplatform/document-store";
import { dropDatabase, newTestEnvironment } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityIndexes } from "../src/stores.ts";

let store: DocumentStore;
beforeAll(async () => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = newTestEnvironment("identity");
  store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  await createIndexes(store, identityIndexes);
});
afterAll(async () => {
  await dropDatabase(store);
  await store[Symbol.asyncDispose]();
});

const [epoch, now] = [new Date(0), new Date()];
const organisation_id = "acme";
const dueRuns = { "run.id": { $gt: "" }, organisation_id: { $gt: "" }, "run.take_up_at": { $not: { $gt: now } } };

describe("what workspaces are asked for often", () => {
  it.each([
    ["runs that are due", "workspace_settings", dueRuns, "claims"],
    ["what is due", "workspace_settings", { auto_due_at: { $gt: epoch, $lte: now }, run: null }, "due"],
    ["workspaces of drafts", "workspaces", { draft_id: { $in: ["a", "b"] }, organisation_id }, "draft"],
    ["what is in a workspace", "workspace_assets", { workspace_id: "w", organisation_id }, "arrival"],
    ["where an asset is", "workspace_assets", { asset_id: "a", organisation_id }, "asset"],
    ["ungrouped assets", "assets", { workspace_ids: [], organisation_id }, "workspaces"],
    ["what is in a workspace that is deleted", "assets", { workspace_ids: "w", organisation_id }, "workspaces"],
  ])("%s are found by an index", async (_, collection, filter, index) => {
    const explained = await store.database.collection(collection).find(filter).explain("queryPlanner");
    expect(JSON.stringify(explained)).toContain(`"indexName":"${index}"`);
    expect(JSON.stringify(explained)).not.toContain("COLLSCAN");
  });
});
