import { randomUUID } from "node:crypto";
import { GroupingRunType, GroupingStatus } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { failureOf } from "@aiplatform/testkit";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdentityRig, startIdentityRig } from "./identity-rig.ts";
import {
  announced,
  contentOf,
  foundOrganisation,
  proposalOf,
  proposedAsset,
  registered,
  settingsOf,
} from "./workspace-organisation.ts";

let rig: IdentityRig;
beforeAll(async () => {
  rig = await startIdentityRig();
});
afterAll(async () => await rig[Symbol.asyncDispose]());

describe("an organisation that has changed nothing", () => {
  it("has settings: nothing is enabled, nothing was grouped", async () => {
    const acme = await foundOrganisation(rig);
    const settings = await settingsOf(acme);
    expect(settings).toMatchObject({
      organisationId: acme.id,
      workspacesEnabled: false,
      autoGroupingEnabled: false,
      groupingStatus: GroupingStatus.IDLE,
    });
    expect(settings.lastGroupingRunType).toBeUndefined();
    expect(settings.lastGroupingStartedAt).toBeUndefined();
    expect(settings.groupingAlgorithmVersion).toBeUndefined();
    expect(await settingsOf(acme)).toEqual(settings);
  });
});

describe("accepting a proposal", () => {
  it("makes its workspaces, enables workspaces and says how far grouping is", async () => {
    const acme = await foundOrganisation(rig);
    const [seed, other] = [await registered(acme, "Churn model"), await registered(acme, "Churn report")];
    const assets = [proposedAsset(seed, { role: "primary", source: "seed" }), proposedAsset(other)];
    const workspace = { name: "Churn", draftId: "draft 1", description: "All of churn", seedAssetId: seed, assets };
    const { settings } = await acme.workspaces.enableFromProposal(proposalOf(workspace, "grouper 7"));
    expect(settings).toMatchObject({
      workspacesEnabled: true,
      groupingStatus: GroupingStatus.SUCCEEDED,
      lastGroupingRunType: GroupingRunType.PROPOSAL,
      groupingAlgorithmVersion: "grouper 7",
      lastGroupingStartedAt: expect.anything(),
      lastGroupingCompletedAt: expect.anything(),
    });
    expect(settings?.lastGroupingError).toBeUndefined();
    expect(await settingsOf(acme)).toEqual(settings);
    const { workspaces } = await acme.workspaces.listWorkspaces({});
    const expected = {
      name: "Churn",
      draftId: "draft 1",
      description: "All of churn",
      seedAssetId: seed,
      assetCount: 2,
    };
    expect(workspaces).toEqual([expect.objectContaining(expected)]);
    const found = await acme.workspaces.getWorkspace({ workspaceId: workspaces[0]?.id ?? "" });
    expect(found.workspace).toEqual(workspaces[0]);
  });

  it("keeps why each asset is there, the evidence byte for byte", async () => {
    const acme = await foundOrganisation(rig);
    const [first, second] = [await registered(acme, "Churn model"), await registered(acme, "Churn report")];
    const text = '{ "score":1.00, "big": 12345678901234567890, "$where":{"a.b":[1e2,null]} ,"ü":"\\u00fc"}';
    const reason = { role: "primary", source: "auto", confidence: 0.25, evidence: { text } };
    await acme.workspaces.enableFromProposal(
      proposalOf({ assets: [proposedAsset(second, reason), proposedAsset(first)] }, "grouper 7"),
    );
    const [workspace] = (await acme.workspaces.listWorkspaces({})).workspaces;
    const [kept, plain] = await contentOf(acme, workspace?.id ?? "");
    expect(kept).toMatchObject({
      workspaceId: workspace?.id,
      assetId: second,
      assetName: "Churn report",
      role: "primary",
      source: "auto",
      confidence: 0.25,
      algorithmVersion: "grouper 7",
    });
    expect(kept?.evidence?.text).toBe(text);
    expect(plain).toMatchObject({ assetId: first, source: "manual" });
  });

  it("says who accepted it, where a member did", async () => {
    const ada = rig.as({ bearer: await rig.provider.token("ada") });
    const asset = await registered(ada, "Ada's");
    await ada.workspaces.enableFromProposal(proposalOf({ draftId: "ada's", assets: [proposedAsset(asset)] }));
    const { workspaces } = await ada.workspaces.listWorkspaces({});
    const workspace = workspaces.find(({ draftId }) => draftId === "ada's");
    const [membership] = await contentOf(ada, workspace?.id ?? "");
    expect(membership?.acceptedByMemberId).toBe(rig.acme.administrator?.id);
  });

  it("announces it once, as the organisation's settings", async () => {
    const acme = await foundOrganisation(rig);
    const assets = [proposedAsset(await registered(acme, "a")), proposedAsset(await registered(acme, "b"))];
    await acme.workspaces.enableFromProposal(proposalOf({ assets }));
    const events = (await announced(rig, acme.id)).filter(({ happened }) => !happened.startsWith("asset."));
    expect(events).toEqual([{ happened: "workspace_settings.proposal_accepted", entityId: acme.id }]);
  });

  it("puts one asset into several workspaces when it says so", async () => {
    const acme = await foundOrganisation(rig);
    const asset = await registered(acme, "shared");
    const workspaces = ["one", "two"].map((name) => ({ name, draftId: name, assets: [proposedAsset(asset)] }));
    await acme.workspaces.enableFromProposal({ algorithmVersion: "v1", workspaces });
    const { assets } = await acme.assets.listAssets({});
    expect(assets[0]?.workspaceIds).toHaveLength(2);
  });

  it("of no workspaces enables only", async () => {
    const acme = await foundOrganisation(rig);
    const { settings } = await acme.workspaces.enableFromProposal({ algorithmVersion: "v1", workspaces: [] });
    expect(settings).toMatchObject({ workspacesEnabled: true, groupingStatus: GroupingStatus.IDLE });
    expect(settings?.groupingAlgorithmVersion).toBeUndefined();
  });
});

describe("a proposal that is wrong", () => {
  it("is refused with everything that is wrong, each where it stands, and nothing is made", async () => {
    const acme = await foundOrganisation(rig);
    const [a, b] = [await registered(acme, "a"), await registered(acme, "b")];
    const workspaces = [
      { name: "one", draftId: "same", assets: [proposedAsset(a), proposedAsset(b), proposedAsset(a.toUpperCase())] },
      { name: "two", draftId: "same", seedAssetId: b, assets: [proposedAsset(a)] },
    ];
    const failure = await failureOf(acme.workspaces.enableFromProposal({ algorithmVersion: "v1", workspaces }));
    expect(failure).toMatchObject({
      code: Code.InvalidArgument,
      fields: [
        ["workspaces[0].assets[2].asset_id", "ASSET_REPEATED"],
        ["workspaces[1].draft_id", "DRAFT_ID_REPEATED"],
        ["workspaces[1].seed_asset_id", "SEED_ASSET_ABSENT"],
      ],
    });
    expect((await acme.workspaces.listWorkspaces({})).workspaces).toEqual([]);
    expect((await settingsOf(acme)).workspacesEnabled).toBe(false);
  });

  it("is refused when its workspaces hold more assets together than one request may", async () => {
    const acme = await foundOrganisation(rig);
    const workspaces = ["one", "two"].map((name) => ({
      name,
      draftId: name,
      assets: Array.from({ length: 2_501 }, () => proposedAsset(randomUUID())),
    }));
    const failure = await failureOf(acme.workspaces.enableFromProposal({ algorithmVersion: "v1", workspaces }));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields: [["workspaces", "ASSETS_TOO_MANY"]] });
  });

  it.each([
    ["an asset that does not exist", async () => randomUUID()],
    ["another organisation's asset", async () => registered(await foundOrganisation(rig), "theirs")],
  ])("is not found as a whole when it names %s", async (_, foreign) => {
    const acme = await foundOrganisation(rig);
    const [known, unknown] = [await registered(acme, "ours"), await foreign()];
    const workspaces = [
      { name: "good", draftId: "good", assets: [proposedAsset(known)] },
      { name: "bad", draftId: "bad", assets: [proposedAsset(unknown)] },
    ];
    const request = { algorithmVersion: "v1", workspaces };
    const failure = await failureOf(acme.workspaces.enableFromProposal(request));
    expect(failure).toMatchObject({ code: Code.NotFound, reason: "NOT_FOUND", message: "Not found", metadata: {} });
    const seeded = proposalOf({ seedAssetId: unknown });
    expect(await failureOf(acme.workspaces.enableFromProposal(seeded))).toEqual(failure);
    expect((await acme.workspaces.listWorkspaces({})).workspaces).toEqual([]);
    expect((await settingsOf(acme)).workspacesEnabled).toBe(false);
  });
});

describe("the same draft again", () => {
  it("makes the workspace what it says, and keeps since when the rest is there", async () => {
    const acme = await foundOrganisation(rig);
    const [a, b, c] = [await registered(acme, "a"), await registered(acme, "b"), await registered(acme, "c")];
    const draft = { draftId: "d", assets: [proposedAsset(a), proposedAsset(b)] };
    await acme.workspaces.enableFromProposal(proposalOf(draft));
    const [before] = (await acme.workspaces.listWorkspaces({})).workspaces;
    const contentBefore = await contentOf(acme, before?.id ?? "");
    const changed = [proposedAsset(c), proposedAsset(b, { confidence: 0.5 })];
    await acme.workspaces.enableFromProposal(proposalOf({ draftId: "d", name: "Renamed", assets: changed }, "v2"));
    const { workspaces } = await acme.workspaces.listWorkspaces({});
    expect(workspaces).toEqual([expect.objectContaining({ id: before?.id, name: "Renamed", assetCount: 2 })]);
    const content = await contentOf(acme, before?.id ?? "");
    expect(
      content.map(({ assetId, confidence, algorithmVersion }) => ({ assetId, confidence, algorithmVersion })),
    ).toEqual([
      { assetId: b, confidence: 0.5, algorithmVersion: "v2" },
      { assetId: c, confidence: 1, algorithmVersion: "v2" },
    ]);
    expect(content[0]?.createdAt).toEqual(contentBefore[1]?.createdAt);
    const { assets } = await acme.assets.listAssets({ ungrouped: true });
    expect(assets.map(({ id }) => id)).toEqual([a]);
  });

  it("changes and announces nothing when nothing differs", async () => {
    const acme = await foundOrganisation(rig);
    const proposal = proposalOf({ draftId: "d", assets: [proposedAsset(await registered(acme, "a"))] });
    const first = await acme.workspaces.enableFromProposal(proposal);
    const second = await acme.workspaces.enableFromProposal(proposal);
    expect(second.settings).toEqual(first.settings);
    const accepted = (await announced(rig, acme.id)).filter(({ happened }) => happened.endsWith("proposal_accepted"));
    expect(accepted).toHaveLength(1);
  });

  it("makes one workspace of many simultaneous proposals", async () => {
    const acme = await foundOrganisation(rig);
    const asset = await registered(acme, "a");
    const proposals = Array.from({ length: 8 }, (_, index) =>
      proposalOf({ draftId: "d", name: `Name ${index}`, assets: [proposedAsset(asset)] }),
    );
    await Promise.all(proposals.map((proposal) => acme.workspaces.enableFromProposal(proposal)));
    const { workspaces } = await acme.workspaces.listWorkspaces({});
    expect(workspaces).toEqual([expect.objectContaining({ draftId: "d", assetCount: 1 })]);
    expect(await contentOf(acme, workspaces[0]?.id ?? "")).toHaveLength(1);
  });

  it("is another organisation's own", async () => {
    const [acme, globex] = [await foundOrganisation(rig), await foundOrganisation(rig)];
    for (const organisation of [acme, globex]) {
      await organisation.workspaces.enableFromProposal(proposalOf({ draftId: "d" }));
    }
    const [ours, theirs] = [await acme.workspaces.listWorkspaces({}), await globex.workspaces.listWorkspaces({})];
    expect([ours.workspaces.length, theirs.workspaces.length]).toEqual([1, 1]);
    const workspaceId = theirs.workspaces[0]?.id ?? "";
    const unknown = await failureOf(acme.workspaces.getWorkspace({ workspaceId: randomUUID() }));
    expect(await failureOf(acme.workspaces.getWorkspace({ workspaceId }))).toEqual(unknown);
    expect(await failureOf(acme.workspaces.listWorkspaceAssets({ workspaceId }))).toEqual(unknown);
    expect(await failureOf(acme.workspaces.deleteWorkspace({ workspaceId }))).toEqual(unknown);
  });
});

describe("a proposal with an idempotency key", () => {
  it("is accepted once, and its repeat gets the first answer", async () => {
    const acme = await foundOrganisation(rig);
    const proposal = { ...proposalOf({ draftId: "d" }), idempotencyKey: randomUUID() };
    const first = await acme.workspaces.enableFromProposal(proposal);
    await acme.workspaces.updateWorkspaceSettings({ autoGroupingEnabled: true });
    let repeated: string | null = null;
    const onHeader = (header: Headers) => {
      repeated = header.get("idempotency-replayed");
    };
    const again = await acme.workspaces.enableFromProposal(proposal, { onHeader });
    expect(repeated).toBe("true");
    expect(again).toEqual(first);
  });
});

describe("the settings", () => {
  it("change where something is given, announced once", async () => {
    const acme = await foundOrganisation(rig);
    const { settings } = await acme.workspaces.updateWorkspaceSettings({ workspacesEnabled: true });
    expect(settings).toMatchObject({ workspacesEnabled: true, autoGroupingEnabled: false });
    await acme.workspaces.updateWorkspaceSettings({ workspacesEnabled: true });
    await acme.workspaces.updateWorkspaceSettings({});
    expect(await settingsOf(acme)).toEqual(settings);
    expect(await announced(rig, acme.id)).toEqual([{ happened: "workspace_settings.updated", entityId: acme.id }]);
  });
});

describe("a deleted workspace", () => {
  it("is gone, and its assets are in none", async () => {
    const acme = await foundOrganisation(rig);
    const asset = await registered(acme, "a");
    await acme.workspaces.enableFromProposal(proposalOf({ assets: [proposedAsset(asset)] }));
    const [workspace] = (await acme.workspaces.listWorkspaces({})).workspaces;
    const workspaceId = workspace?.id ?? "";
    expect((await acme.workspaces.deleteWorkspace({ workspaceId })).workspace).toEqual(workspace);
    expect(await failureOf(acme.workspaces.getWorkspace({ workspaceId }))).toMatchObject({ code: Code.NotFound });
    expect((await acme.assets.listAssets({ ungrouped: true })).assets.map(({ id }) => id)).toEqual([asset]);
    const events = await announced(rig, acme.id);
    expect(events.at(-1)).toEqual({ happened: "workspace.deleted", entityId: workspaceId });
  });
});

describe("lists", () => {
  it("of what is in a workspace come page by page, in the order of the proposal", async () => {
    const acme = await foundOrganisation(rig);
    const ids: string[] = [];
    for (const name of ["e", "d", "c", "b", "a"]) ids.push(await registered(acme, name));
    await acme.workspaces.enableFromProposal(proposalOf({ assets: ids.toReversed().map((id) => proposedAsset(id)) }));
    const [workspace] = (await acme.workspaces.listWorkspaces({})).workspaces;
    const workspaceId = workspace?.id ?? "";
    const seen: string[][] = [];
    for (let cursor = ""; ; ) {
      const page = await acme.workspaces.listWorkspaceAssets({ workspaceId, limit: 2, cursor });
      seen.push(page.assets.map(({ assetName }) => assetName));
      cursor = page.nextCursor;
      if (cursor === "") break;
    }
    expect(seen).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    const failure = await failureOf(acme.workspaces.listWorkspaceAssets({ workspaceId, cursor: "nonsense" }));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields: [["cursor", "CURSOR_INVALID"]] });
  });

  it("of workspaces come page by page, by creation", async () => {
    const acme = await foundOrganisation(rig);
    for (const draftId of ["1", "2", "3"]) await acme.workspaces.enableFromProposal(proposalOf({ draftId }));
    const first = await acme.workspaces.listWorkspaces({ limit: 2 });
    const second = await acme.workspaces.listWorkspaces({ limit: 2, cursor: first.nextCursor });
    const pages = [first, second].map(({ workspaces }) => workspaces.map(({ draftId }) => draftId));
    expect(pages).toEqual([["1", "2"], ["3"]]);
    expect(second.nextCursor).toBe("");
    const times = first.workspaces.map(({ createdAt }) => (createdAt ? timestampMs(createdAt) : 0));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});
