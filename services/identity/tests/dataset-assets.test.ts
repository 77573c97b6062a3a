import { randomUUID } from "node:crypto";
import { DatasetCreatedSchema, DatasetDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { connectDocumentStore, type DocumentStore } from "@aiplatform/document-store";
import { connectEventStream, type EventStream, eventRecord } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AssetStore } from "../src/assets/asset-store.ts";
import { type IdentityRig, reachable, startIdentityRig } from "./identity-rig.ts";

let rig: IdentityRig;
let stream: EventStream;
let store: DocumentStore;
let assets: AssetStore;
beforeAll(async () => {
  rig = await startIdentityRig();
  const { NATS_URL: servers, NATS_STREAM: streamName, MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
  stream = await connectEventStream({ servers, keys: serviceKeys("content"), name: "identity tests", streamName });
  await reachable(stream);
  store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  assets = new AssetStore(store);
});
afterAll(async () => {
  await store?.close();
  await stream?.close();
  await rig[Symbol.asyncDispose]();
});

/** What content says of a dataset of an organisation that no other test uses. */
function newDataset() {
  const [organisationId, datasetId] = [randomUUID(), randomUUID()];
  const facts = { organisationId, entityId: datasetId, time: new Date() };
  return {
    organisationId,
    datasetId,
    created: (name: string) =>
      eventRecord(DatasetCreatedSchema, create(DatasetCreatedSchema, { organisationId, datasetId, name }), facts),
    deleted: () =>
      eventRecord(DatasetDeletedSchema, create(DatasetDeletedSchema, { organisationId, datasetId }), facts),
    asset: () => assets.find(organisationId, datasetId),
    known: () => eventually(async () => (await assets.find(organisationId, datasetId)) !== undefined),
    forgotten: () => eventually(async () => (await assets.find(organisationId, datasetId)) === undefined),
  };
}

describe("a dataset that content tells of", () => {
  it("is an asset of content's that has to do with itself, until it is deleted", async () => {
    const dataset = newDataset();
    await stream.publish([dataset.created("Sales")]);
    await dataset.known();
    const { organisationId, datasetId } = dataset;
    const facts = { id: datasetId, organisationId, name: "Sales", kind: "dataset", owner: "content" };
    expect(await dataset.asset()).toMatchObject({ ...facts, datasetIds: [datasetId], workspaceIds: [] });
    await stream.publish([dataset.deleted()]);
    await dataset.forgotten();
  });

  it("leaves its workspaces when it is deleted", async () => {
    const dataset = newDataset();
    await stream.publish([dataset.created("Sales")]);
    await dataset.known();
    const { organisationId: organisation_id, datasetId } = dataset;
    const workspaces = store.database.collection<{ _id: string }>("workspaces");
    const workspace = { _id: randomUUID(), organisation_id, asset_count: 1, seed_asset_id: datasetId };
    await workspaces.insertOne(workspace);
    const move = { workspaceId: workspace._id, added: [datasetId], removed: [] };
    await store.client.withSession((session) => assets.move(organisation_id, [move], session));
    await stream.publish([dataset.deleted()]);
    await dataset.forgotten();
    expect(await workspaces.findOne({ _id: workspace._id })).toMatchObject({ asset_count: 0, seed_asset_id: null });
  });

  it("stays forgotten when its deletion is heard of first", async () => {
    const [late, other] = [newDataset(), newDataset()];
    await stream.publish([late.deleted()]);
    await stream.publish([late.created("Sales"), other.created("Later")]);
    await other.known();
    await late.forgotten();
  });
});
