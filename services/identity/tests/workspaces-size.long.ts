import { randomUUID } from "node:crypto";
import { GroupingStatus } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { connectDocumentStore, TenantCollection } from "@aiplatform/document-store";
import { failureOf } from "@aiplatform/testkit";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AssetStore } from "../src/assets/asset-store.ts";
import { type IdentityRig, startIdentityRig } from "./identity-rig.ts";
import { foundOrganisation, proposalOf, proposedAsset, settledAs } from "./workspace-organisation.ts";

let rig: IdentityRig;
beforeAll(async () => {
  rig = await startIdentityRig();
});
afterAll(async () => await rig[Symbol.asyncDispose]());

/** Gives an organisation this many assets, in pairs of the same name; answers their ids. */
async function manyAssets(organisationId: string, size: number): Promise<string[]> {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
  await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  const ids = Array.from({ length: size }, () => randomUUID());
  const [created_at, kind] = [new Date(), "report"];
  const documents = ids.map((asset_id, index) => ({
    ...{ _id: `${organisationId}/${asset_id}`, organisation_id: organisationId, asset_id, name: `pair${index >> 1}` },
    ...{ kind, dataset_ids: [], owner: null, workspace_ids: [], created_at, updated_at: created_at },
  }));
  await new TenantCollection(store, AssetStore.indexes.collection).insertMany(organisationId, documents);
  return ids;
}

describe("an organisation with as many assets as it may register", () => {
  it("may register no more, and has them grouped by one run that ends before another process takes it up", async () => {
    const acme = await foundOrganisation(rig);
    await manyAssets(acme.id, 10_000);
    const failure = await failureOf(acme.assets.registerAsset({ name: "one more", kind: "report" }));
    expect(failure).toMatchObject({ code: Code.FailedPrecondition, reason: "ASSET_LIMIT" });
    await acme.workspaces.updateWorkspaceSettings({ workspacesEnabled: true });
    await acme.workspaces.startGrouping({});
    const settled = await settledAs(acme, GroupingStatus.SUCCEEDED, GroupingStatus.FAILED);
    expect(settled.groupingStatus).toBe(GroupingStatus.SUCCEEDED);
    expect((await acme.assets.listAssets({ ungrouped: true })).assets).toEqual([]);
    const { lastGroupingStartedAt: started, lastGroupingCompletedAt: completed } = settled;
    if (!started || !completed) throw new Error("the run has no times");
    expect(timestampMs(completed) - timestampMs(started)).toBeLessThan(10_000);
  }, 60_000);
});

describe("a proposal of as many assets as it may have", () => {
  it("is accepted within the time of a call, and again", async () => {
    const acme = await foundOrganisation(rig);
    const ids = await manyAssets(acme.id, 5_000);
    const workspaces = Array.from({ length: 500 }, (_, index) => ({
      name: `Workspace ${index}`,
      draftId: `${index}`,
      assets: ids.slice(10 * index, 10 * index + 10).map((id) => proposedAsset(id)),
    }));
    await acme.workspaces.enableFromProposal({ algorithmVersion: "v1", workspaces });
    await acme.workspaces.enableFromProposal({ algorithmVersion: "v2", workspaces });
    const { workspaces: listed } = await acme.workspaces.listWorkspaces({ limit: 1_000 });
    expect(listed).toHaveLength(500);
    expect(new Set(listed.map(({ assetCount }) => assetCount))).toEqual(new Set([10]));
    await acme.workspaces.enableFromProposal(proposalOf({ assets: ids.map((id) => proposedAsset(id)) }));
  }, 60_000);
});
