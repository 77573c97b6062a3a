import { describe, expect, it } from "vitest";
import { assetIdsOf, maxProposedAssets, type ProposedAsset, type ProposedWorkspace, violationsOf } from "./proposal.ts";

const asset = (assetId: string): ProposedAsset => ({
  ...{ assetId, assetName: "", role: "supporting", source: "manual", confidence: 1, evidence: "{}" },
});
const workspace = (draftId: string, assets: ProposedAsset[] = [], seedAssetId?: string): ProposedWorkspace => ({
  ...{ name: draftId, draftId, description: "", seedAssetId, assets },
});

const many = (prefix: string, size: number) => Array.from({ length: size }, (_, index) => asset(`${prefix}${index}`));

interface Case {
  title: string;
  workspaces: ProposedWorkspace[];
  wrong: [string, string][];
}

const cases: Case[] = [
  { title: "nothing is wrong with no workspaces", workspaces: [], wrong: [] },
  {
    title: "one asset may be in two workspaces",
    workspaces: [workspace("1", [asset("a")]), workspace("2", [asset("a")])],
    wrong: [],
  },
  {
    title: "a draft comes once; each repetition is named",
    workspaces: [workspace("1"), workspace("2"), workspace("1"), workspace("1")],
    wrong: [
      ["workspaces[2].draft_id", "DRAFT_ID_REPEATED"],
      ["workspaces[3].draft_id", "DRAFT_ID_REPEATED"],
    ],
  },
  {
    title: "an asset comes once in a workspace",
    workspaces: [workspace("1", [asset("a"), asset("b"), asset("a")])],
    wrong: [["workspaces[0].assets[2].asset_id", "ASSET_REPEATED"]],
  },
  { title: "a seed may stand alone", workspaces: [workspace("1", [], "a")], wrong: [] },
  { title: "a seed may be any of the assets", workspaces: [workspace("1", [asset("b"), asset("a")], "a")], wrong: [] },
  {
    title: "a seed is one of the assets where there are any",
    workspaces: [workspace("1", [asset("b")], "a")],
    wrong: [["workspaces[0].seed_asset_id", "SEED_ASSET_ABSENT"]],
  },
  {
    title: "as many assets as there may be are fine",
    workspaces: [workspace("1", many("a", maxProposedAssets))],
    wrong: [],
  },
  {
    title: "more assets than there may be are too many, however they are spread",
    workspaces: [workspace("1", many("a", maxProposedAssets)), workspace("2", [asset("b")])],
    wrong: [["workspaces", "ASSETS_TOO_MANY"]],
  },
];

describe("what can be wrong with a proposal", () => {
  it.each(cases)("$title", ({ workspaces, wrong }) => {
    const found = violationsOf({ algorithmVersion: "v1", workspaces });
    expect(found.map(({ field, reason }) => [field, reason])).toEqual(wrong);
  });
});

describe("the assets of a proposal", () => {
  it("are those of its workspaces and their seeds, each once", () => {
    const workspaces = [
      workspace("1", [asset("a"), asset("b")], "a"),
      workspace("2", [asset("a")]),
      workspace("3", [], "c"),
    ];
    expect(assetIdsOf({ algorithmVersion: "v1", workspaces }).sort()).toEqual(["a", "b", "c"]);
  });
});
