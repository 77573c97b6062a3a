import { randomUUID } from "node:crypto";
import {
  PipelineCreatedSchema,
  PipelineDeletedSchema,
  PipelineUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import type { OutboxRecord } from "@aiplatform/document-store";
import { connectEventStream, type EventStream, eventRecord } from "@aiplatform/event-stream";
import { eventually, failureOf, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdentityRig, reachable, startIdentityRig } from "./identity-rig.ts";
import {
  announced,
  contentOf,
  foundOrganisation,
  proposalOf,
  proposedAsset,
  registered,
} from "./workspace-organisation.ts";

let rig: IdentityRig;
let stream: EventStream;
beforeAll(async () => {
  rig = await startIdentityRig();
  const { NATS_URL: servers, NATS_STREAM: streamName } = rig.config;
  stream = await connectEventStream({ servers, keys: serviceKeys("training"), name: "identity tests", streamName });
  await reachable(stream);
});
afterAll(async () => {
  await stream?.close();
  await rig[Symbol.asyncDispose]();
});

const about = (organisationId: string, entityId: string) => ({ organisationId, entityId, time: new Date() });

/** What training says when there is a pipeline. */
function pipelineCreated(organisationId: string, pipelineId: string, name: string): OutboxRecord {
  const message = create(PipelineCreatedSchema, { organisationId, pipelineId, name });
  return eventRecord(PipelineCreatedSchema, message, about(organisationId, pipelineId));
}

describe("registering an asset", () => {
  it("makes it known under an id of its own, each dataset once", async () => {
    const acme = await foundOrganisation(rig);
    const wanted = { name: "Churn report", kind: "report", datasetIds: ["d2", "d1", "d2"] };
    const { asset } = await acme.assets.registerAsset(wanted);
    expect(asset).toMatchObject({ ...wanted, organisationId: acme.id, datasetIds: ["d2", "d1"], workspaceIds: [] });
    expect(asset?.owner).toBeUndefined();
    expect((await acme.assets.listAssets({})).assets).toEqual([asset]);
    expect(await announced(rig, acme.id)).toEqual([{ happened: "asset.registered", entityId: asset?.id }]);
  });

  it("again changes what is known of it, and nothing when that is known", async () => {
    const acme = await foundOrganisation(rig);
    const assetId = randomUUID();
    const facts = { assetId, name: "Churn", kind: "report" };
    await acme.assets.registerAsset(facts);
    const renamed = await acme.assets.registerAsset({ ...facts, name: "Churn 2" });
    expect(renamed.asset).toMatchObject({ id: assetId, name: "Churn 2" });
    expect(await acme.assets.registerAsset({ ...facts, name: "Churn 2" })).toEqual(renamed);
    expect(await announced(rig, acme.id)).toHaveLength(2);
  });

  it("under an id that another organisation uses makes one of its own", async () => {
    const [acme, globex] = [await foundOrganisation(rig), await foundOrganisation(rig)];
    const assetId = randomUUID();
    await acme.assets.registerAsset({ assetId, name: "ours", kind: "report" });
    await globex.assets.registerAsset({ assetId, name: "theirs", kind: "report" });
    const names = async ({ assets }: typeof acme) => (await assets.listAssets({})).assets.map(({ name }) => name);
    expect([await names(acme), await names(globex)]).toEqual([["ours"], ["theirs"]]);
  });

  it("is done once per idempotency key", async () => {
    const acme = await foundOrganisation(rig);
    const wanted = { name: "Churn", kind: "report", idempotencyKey: randomUUID() };
    const first = await acme.assets.registerAsset(wanted);
    expect(await acme.assets.registerAsset(wanted)).toEqual(first);
    expect((await acme.assets.listAssets({})).assets).toHaveLength(1);
  });
});

describe("assets", () => {
  it("are listed page by page, by registration", async () => {
    const acme = await foundOrganisation(rig);
    for (const name of ["c", "a", "b"]) await registered(acme, name);
    const first = await acme.assets.listAssets({ limit: 2 });
    const second = await acme.assets.listAssets({ limit: 2, cursor: first.nextCursor });
    const names = [first, second].map(({ assets }) => assets.map(({ name }) => name));
    expect(names).toEqual([["c", "a"], ["b"]]);
    expect(second.nextCursor).toBe("");
  });
});

describe("a deleted asset", () => {
  it("leaves its workspaces, which grew from it no more", async () => {
    const acme = await foundOrganisation(rig);
    const [gone, stays] = [await registered(acme, "gone"), await registered(acme, "stays")];
    const assets = [proposedAsset(gone), proposedAsset(stays)];
    await acme.workspaces.enableFromProposal(proposalOf({ seedAssetId: gone, assets }));
    await acme.assets.deleteAsset({ assetId: gone });
    const [workspace] = (await acme.workspaces.listWorkspaces({})).workspaces;
    expect(workspace?.assetCount).toBe(1);
    expect(workspace?.seedAssetId).toBeUndefined();
    expect((await contentOf(acme, workspace?.id ?? "")).map(({ assetId }) => assetId)).toEqual([stays]);
    const missing = await failureOf(acme.assets.deleteAsset({ assetId: gone }));
    expect(missing).toMatchObject({ code: Code.NotFound, message: "Not found" });
    expect((await announced(rig, acme.id)).at(-1)).toEqual({ happened: "asset.deleted", entityId: gone });
  });
});

describe("a pipeline of training's", () => {
  it("is an asset from its event on, once for any number of its events", async () => {
    const acme = await foundOrganisation(rig);
    const pipelineId = randomUUID();
    await stream.publish([
      pipelineCreated(acme.id, pipelineId, "Churn training"),
      pipelineCreated(acme.id, pipelineId, "Churn training"),
      pipelineCreated(acme.id, randomUUID(), "The last"),
    ]);
    await eventually(async () => (await acme.assets.listAssets({})).assets.some(({ name }) => name === "The last"));
    const { assets } = await acme.assets.listAssets({});
    expect(assets).toHaveLength(2);
    expect(assets[0]).toMatchObject({ id: pipelineId, name: "Churn training", kind: "pipeline", owner: "training" });
    expect(await announced(rig, acme.id)).toEqual([]);
  });

  it("has its newest name, whatever the order of its events, until it is deleted", async () => {
    const acme = await foundOrganisation(rig);
    const pipelineId = randomUUID();
    const renamed = (name: string, second: number) => {
      const updatedAt = timestampFromDate(new Date(second * 1_000));
      const message = create(PipelineUpdatedSchema, { organisationId: acme.id, pipelineId, name, updatedAt });
      return eventRecord(PipelineUpdatedSchema, message, about(acme.id, pipelineId));
    };
    const nameIs = (name: string) =>
      eventually(async () => (await acme.assets.listAssets({})).assets.some((asset) => asset.name === name), name);
    await stream.publish([renamed("Churn 3", 3), pipelineCreated(acme.id, pipelineId, "Churn 1")]);
    await nameIs("Churn 3");
    await stream.publish([renamed("Churn 2", 2), pipelineCreated(acme.id, randomUUID(), "The last")]);
    await nameIs("The last");
    await nameIs("Churn 3");
    const message = create(PipelineDeletedSchema, { organisationId: acme.id, pipelineId });
    await stream.publish([eventRecord(PipelineDeletedSchema, message, about(acme.id, pipelineId))]);
    await eventually(async () => (await acme.assets.listAssets({})).assets.length === 1, "the pipeline to go");
  });

  it("is changed and forgotten by training only", async () => {
    const acme = await foundOrganisation(rig);
    const pipelineId = randomUUID();
    await stream.publish([pipelineCreated(acme.id, pipelineId, "Churn training")]);
    await eventually(async () => (await acme.assets.listAssets({})).assets.length === 1);
    const refused = { code: Code.FailedPrecondition, reason: "ASSET_OWNED" };
    const renaming = acme.assets.registerAsset({ assetId: pipelineId, name: "Mine", kind: "report" });
    expect(await failureOf(renaming)).toMatchObject(refused);
    expect(await failureOf(acme.assets.deleteAsset({ assetId: pipelineId }))).toMatchObject(refused);
  });

  it("takes over what was registered under its id, with its datasets and workspaces", async () => {
    const acme = await foundOrganisation(rig);
    const pipelineId = randomUUID();
    await acme.assets.registerAsset({ assetId: pipelineId, name: "Early", kind: "report", datasetIds: ["d1"] });
    await acme.workspaces.enableFromProposal(proposalOf({ assets: [proposedAsset(pipelineId)] }));
    await stream.publish([pipelineCreated(acme.id, pipelineId, "Churn training")]);
    await eventually(async () => (await acme.assets.listAssets({})).assets[0]?.owner === "training");
    const [asset] = (await acme.assets.listAssets({})).assets;
    expect(asset).toMatchObject({ name: "Churn training", kind: "pipeline", datasetIds: ["d1"] });
    const [workspace] = (await acme.workspaces.listWorkspaces({})).workspaces;
    const [membership] = await contentOf(acme, workspace?.id ?? "");
    expect(membership).toMatchObject({ assetId: pipelineId, assetName: "Churn training" });
  });
});
