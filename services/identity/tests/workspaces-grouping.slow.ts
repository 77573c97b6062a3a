import { randomUUID } from "node:crypto";
import {
  GroupingRunType,
  GroupingStatus,
  type WorkspaceAsset,
} from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { connectDocumentStore, withTransaction } from "@aiplatform/document-store";
import { eventually, failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AssetStore } from "../src/assets/asset-store.ts";
import { upsertAssetProjection } from "../src/assets/upsert-asset-projection.ts";
import { groupingVersion } from "../src/workspaces/grouping.ts";
import { WorkspaceSettingsStore } from "../src/workspaces/workspace-settings-store.ts";
import { type IdentityRig, startIdentityRig } from "./identity-rig.ts";
import {
  announced,
  contentOf,
  foundOrganisation,
  proposalOf,
  proposedAsset,
  registered,
  settingsOf,
  settledAs,
  type WorkspaceOrganisation,
} from "./workspace-organisation.ts";

const { QUEUED, SUCCEEDED, FAILED } = GroupingStatus;

let rig: IdentityRig;
beforeAll(async () => {
  rig = await startIdentityRig();
});
afterAll(async () => await rig[Symbol.asyncDispose]());

/** An organisation that uses workspaces. */
async function enabledOrganisation(from: IdentityRig = rig): Promise<WorkspaceOrganisation> {
  const organisation = await foundOrganisation(from);
  await organisation.workspaces.updateWorkspaceSettings({ workspacesEnabled: true });
  return organisation;
}

/** What a run has done, workspace by workspace. */
async function groups(organisation: WorkspaceOrganisation): Promise<Map<string, WorkspaceAsset[]>> {
  const { workspaces } = await organisation.workspaces.listWorkspaces({});
  const found = new Map<string, WorkspaceAsset[]>();
  for (const { id, name } of workspaces) found.set(name, await contentOf(organisation, id));
  return found;
}

const runEvents = async (organisation: WorkspaceOrganisation) =>
  (await announced(rig, organisation.id)).filter(({ happened }) => happened.includes("grouping_"));

describe("grouping that a caller asks for", () => {
  it("is queued, and puts what is in no workspace where the rule says, with its reasons", async () => {
    const acme = await enabledOrganisation();
    const model = await registered(acme, "Churn model", { datasetIds: ["d1"] });
    const report = await registered(acme, "Churn report", { datasetIds: ["d1", "d2"] });
    const lonely = await registered(acme, "Fraud");
    const { settings } = await acme.workspaces.startGrouping({});
    expect(settings).toMatchObject({ groupingStatus: QUEUED });
    expect(settings?.lastGroupingRunType).toBeUndefined();
    const settled = await settledAs(acme, SUCCEEDED, FAILED);
    expect(settled).toMatchObject({
      groupingStatus: SUCCEEDED,
      lastGroupingRunType: GroupingRunType.MANUAL,
      groupingAlgorithmVersion: groupingVersion,
      lastGroupingStartedAt: expect.anything(),
      lastGroupingCompletedAt: expect.anything(),
    });
    const facts = { algorithmVersion: groupingVersion, evidence: { text: '{"shared_datasets":["d1"]}' } };
    expect([...(await groups(acme))]).toEqual([
      [
        "churn",
        [
          expect.objectContaining({ assetId: model, role: "primary", source: "seed", confidence: 1 }),
          expect.objectContaining({ assetId: report, role: "supporting", source: "auto", confidence: 0.5 }),
        ],
      ],
    ]);
    for (const membership of (await groups(acme)).get("churn") ?? []) expect(membership).toMatchObject(facts);
    expect((await acme.assets.listAssets({ ungrouped: true })).assets.map(({ id }) => id)).toEqual([lonely]);
    expect(await runEvents(acme)).toEqual([
      { happened: "workspace_settings.grouping_requested", entityId: acme.id },
      { happened: "workspace_settings.grouping_finished", entityId: acme.id },
    ]);
  });

  it("adds to workspaces and moves nothing that is in one", async () => {
    const acme = await enabledOrganisation();
    const [first, second] = [await registered(acme, "Churn model"), await registered(acme, "Churn report")];
    const assets = [proposedAsset(first, { evidence: { text: '{"by":"hand"}' } })];
    await acme.workspaces.enableFromProposal(proposalOf({ name: "Ours", assets }));
    const before = (await groups(acme)).get("Ours");
    await acme.workspaces.startGrouping({});
    await settledAs(acme, SUCCEEDED, FAILED);
    await eventually(async () => (await runEvents(acme)).length === 2);
    const after = await groups(acme);
    expect([...after.keys()]).toEqual(["Ours"]);
    expect(after.get("Ours")).toEqual([
      ...(before ?? []),
      expect.objectContaining({ assetId: second, source: "auto" }),
    ]);
    const [workspace] = (await acme.workspaces.listWorkspaces({})).workspaces;
    expect(workspace?.assetCount).toBe(2);
  });

  it("adds nothing while a run is queued or under way", async () => {
    const acme = await enabledOrganisation();
    await Promise.all(Array.from({ length: 5 }, () => acme.workspaces.startGrouping({})));
    await settledAs(acme, SUCCEEDED);
    const requested = (await runEvents(acme)).filter(({ happened }) => happened.endsWith("requested"));
    expect(requested.length).toBeLessThan(5);
    const finished = (await runEvents(acme)).filter(({ happened }) => happened.endsWith("finished"));
    expect(finished).toHaveLength(requested.length);
  });

  it("needs workspaces to be enabled", async () => {
    const acme = await foundOrganisation(rig);
    const failure = await failureOf(acme.workspaces.startGrouping({}));
    expect(failure).toMatchObject({ code: Code.FailedPrecondition, reason: "WORKSPACES_DISABLED" });
    expect(await announced(rig, acme.id)).toEqual([]);
  });
});

describe("grouping by itself", () => {
  it("takes up new assets, a burst of them in one run", async () => {
    const acme = await enabledOrganisation();
    await acme.workspaces.updateWorkspaceSettings({ autoGroupingEnabled: true });
    await Promise.all(Array.from({ length: 10 }, (_, index) => registered(acme, `Churn part${index}`)));
    const settled = await settledAs(acme, SUCCEEDED, FAILED);
    expect(settled).toMatchObject({ groupingStatus: SUCCEEDED, lastGroupingRunType: GroupingRunType.AUTO });
    await eventually(async () => (await acme.assets.listAssets({ ungrouped: true })).assets.length === 0);
    expect((await groups(acme)).get("churn")).toHaveLength(10);
    expect((await runEvents(acme)).length).toBeLessThanOrEqual(4);
  });

  it("takes up what was there before it was switched on, and nothing when all is grouped", async () => {
    const acme = await enabledOrganisation();
    await registered(acme, "Churn model");
    await registered(acme, "Churn report");
    await acme.workspaces.updateWorkspaceSettings({ autoGroupingEnabled: true });
    await settledAs(acme, SUCCEEDED);
    await acme.workspaces.updateWorkspaceSettings({ autoGroupingEnabled: false });
    await acme.workspaces.updateWorkspaceSettings({ autoGroupingEnabled: true });
    const globex = await enabledOrganisation();
    await globex.workspaces.updateWorkspaceSettings({ autoGroupingEnabled: true });
    await registered(globex, "Churn");
    await settledAs(globex, SUCCEEDED);
    expect(await runEvents(acme)).toHaveLength(2);
  });
});

describe("an asset whose transaction ends after the look for new assets", () => {
  it("is grouped by the look after that", async () => {
    const acme = await enabledOrganisation();
    await registered(acme, "Churn model");
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = rig.config;
    await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
    const stores = { assets: new AssetStore(store), workspaceSettings: new WorkspaceSettingsStore(store) };
    const facts = { id: randomUUID(), name: "Churn report", kind: "report", datasetIds: [], owner: undefined };
    await acme.workspaces.updateWorkspaceSettings({ autoGroupingEnabled: true });
    await withTransaction(store, async (session) => {
      const late = { organisationId: acme.id, facts, known: undefined };
      await upsertAssetProjection({ ...stores, clock: () => new Date() }, late, session);
      await settledAs(acme, SUCCEEDED);
    });
    await eventually(async () => (await groups(acme)).get("churn")?.length === 2);
  });
});

describe("a proposal that is accepted while a run waits", () => {
  it("takes the run's place: what is said of grouping is the proposal's, and the run changes nothing", async () => {
    await using quiet = await startIdentityRig({ settings: { NATS_URL: "nats://127.0.0.1:9" } });
    const acme = await enabledOrganisation(quiet);
    const [first, second] = [await registered(acme, "Churn model"), await registered(acme, "Churn report")];
    await acme.workspaces.startGrouping({});
    const { settings } = await acme.workspaces.enableFromProposal(proposalOf({ assets: [proposedAsset(first)] }));
    expect(settings).toMatchObject({ groupingStatus: SUCCEEDED, lastGroupingRunType: GroupingRunType.PROPOSAL });
    const globex = await enabledOrganisation(quiet);
    await globex.workspaces.startGrouping({});
    await settledAs(globex, SUCCEEDED);
    expect(await settingsOf(acme)).toEqual(settings);
    expect((await acme.assets.listAssets({ ungrouped: true })).assets.map(({ id }) => id)).toEqual([second]);
  });
});

describe("without NATS", () => {
  it("a run is found by looking", async () => {
    await using quiet = await startIdentityRig({ settings: { NATS_URL: "nats://127.0.0.1:9" } });
    const acme = await enabledOrganisation(quiet);
    const name = `run ${randomUUID()}`;
    await registered(acme, `${name} churn`);
    await registered(acme, "churn");
    await acme.workspaces.startGrouping({});
    expect(await settledAs(acme, SUCCEEDED, FAILED)).toMatchObject({ groupingStatus: SUCCEEDED });
    expect((await groups(acme)).get("churn")).toHaveLength(2);
  });

  it("a run fails, says why and moves nothing when workspaces are switched off before it begins", async () => {
    await using quiet = await startIdentityRig({ settings: { NATS_URL: "nats://127.0.0.1:9" } });
    const acme = await enabledOrganisation(quiet);
    await registered(acme, "Churn model");
    await registered(acme, "Churn report");
    await acme.workspaces.startGrouping({});
    await acme.workspaces.updateWorkspaceSettings({ workspacesEnabled: false });
    expect(await settledAs(acme, SUCCEEDED, FAILED)).toMatchObject({
      groupingStatus: FAILED,
      lastGroupingError: "Workspaces are not enabled",
      lastGroupingRunType: GroupingRunType.MANUAL,
      lastGroupingCompletedAt: expect.anything(),
    });
    expect((await acme.workspaces.listWorkspaces({})).workspaces).toEqual([]);
    const finished = (await announced(quiet, acme.id)).filter(({ happened }) => happened.endsWith("finished"));
    expect(finished).toHaveLength(1);
  });
});
