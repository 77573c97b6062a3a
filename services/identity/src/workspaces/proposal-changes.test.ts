import { describe, expect, it } from "vitest";
import type { ProposedAsset, ProposedWorkspace } from "./proposal.ts";
import { type CurrentWorkspace, changeTo } from "./proposal-changes.ts";
import type { Membership, Workspace } from "./workspace.ts";

const [earlier, now] = [new Date(1), new Date(2)];
const proposedAsset = (assetId: string, more: Partial<ProposedAsset> = {}): ProposedAsset => ({
  ...{ assetId, assetName: "", role: "supporting", source: "manual", confidence: 1, evidence: "{}" },
  ...more,
});
const proposed = (more: Partial<ProposedWorkspace> = {}): ProposedWorkspace => ({
  ...{
    name: "Churn",
    draftId: "d",
    description: "",
    seedAssetId: undefined,
    assets: [proposedAsset("a"), proposedAsset("b")],
  },
  ...more,
});
const dates = { createdAt: earlier, updatedAt: earlier };
const workspace: Workspace = {
  ...{ id: "w", organisationId: "acme", name: "Churn", description: "", draftId: "d", assetCount: 2 },
  ...dates,
};
const membership = (assetId: string, position: number): Membership => ({
  ...{ workspaceId: "w", organisationId: "acme", ...proposedAsset(assetId), algorithmVersion: "v1", position },
  acceptedByMemberId: "ada",
  ...dates,
});
const present: CurrentWorkspace = {
  organisationId: "acme",
  algorithmVersion: "v1",
  acceptedByMemberId: "grace",
  workspace,
  memberships: [membership("a", 0), membership("b", 1)],
  newId: () => "new",
  time: now,
};

describe("a workspace that is as proposed", () => {
  it.each([
    ["word for word", proposed()],
    ["in another order", proposed({ assets: [proposedAsset("b"), proposedAsset("a")] })],
  ])("stays as it is when that is said again %s", (_, again) => {
    expect(changeTo(again, present)).toBeUndefined();
  });
});

describe("a workspace that is proposed otherwise", () => {
  it.each([
    ["another name", { name: "Churn 2" }],
    ["another description", { description: "All of churn" }],
    ["a seed", { seedAssetId: "a" }],
  ])("changes itself only for %s", (_, difference) => {
    const change = changeTo(proposed(difference), present);
    expect(change).toMatchObject({ isNew: false, written: [], added: [], removed: [] });
    expect(change?.workspace).toMatchObject({ id: "w", ...difference, createdAt: earlier, updatedAt: now });
  });

  it.each([
    ["role", { role: "primary" }],
    ["source", { source: "auto" }],
    ["confidence", { confidence: 0.5 }],
    ["evidence", { evidence: '{"a":1}' }],
    ["name", { assetName: "Churn model" }],
  ])("keeps an asset whose %s differs, with who accepted that, and since when it is there", (_, difference) => {
    const change = changeTo(proposed({ assets: [proposedAsset("a"), proposedAsset("b", difference)] }), present);
    const written = [{ assetId: "b", ...difference, acceptedByMemberId: "grace", position: 1, createdAt: earlier }];
    expect(change).toMatchObject({ written, added: [], removed: [] });
  });

  it("says why again when the algorithm is another one", () => {
    const change = changeTo(proposed(), { ...present, algorithmVersion: "v2" });
    expect(change?.written.map(({ assetId, algorithmVersion }) => [assetId, algorithmVersion])).toEqual([
      ["a", "v2"],
      ["b", "v2"],
    ]);
  });

  it("gets what is new, and loses whatever else was in it, however it came there", () => {
    const memberships = [...present.memberships, { ...membership("c", 0), source: "auto" }];
    const change = changeTo(proposed({ assets: [proposedAsset("b"), proposedAsset("e")] }), {
      ...present,
      memberships,
    });
    expect(change).toMatchObject({ added: ["e"], removed: ["a", "c"], workspace: { assetCount: 2 } });
    expect(change?.written).toMatchObject([{ assetId: "e", position: 1, createdAt: now }]);
  });
});

describe("a workspace of a new draft", () => {
  it("is made with an id of its own", () => {
    const change = changeTo(proposed(), { ...present, workspace: undefined, memberships: [] });
    expect(change).toMatchObject({ isNew: true, added: ["a", "b"], removed: [] });
    expect(change?.workspace).toMatchObject({ id: "new", draftId: "d", assetCount: 2, createdAt: now });
    expect(change?.written.map(({ workspaceId, position }) => [workspaceId, position])).toEqual([
      ["new", 0],
      ["new", 1],
    ]);
  });

  it("is made even when nothing is in it", () => {
    const change = changeTo(proposed({ assets: [] }), { ...present, workspace: undefined, memberships: [] });
    expect(change).toMatchObject({ isNew: true, written: [], workspace: { assetCount: 0 } });
  });
});
