import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExistingWorkspace, type Grouping, group, type UngroupedAsset } from "./grouping.ts";

const asset = (id: string, name: string, datasetIds: string[] = [], age = 0): UngroupedAsset => ({
  id,
  name,
  datasetIds,
  createdAt: new Date(age),
});

const place = (workspaceId: string, assets: [string, string[]?][], age = 0): ExistingWorkspace => ({
  workspaceId,
  createdAt: new Date(age),
  assets: assets.map(([name, datasetIds = []]) => ({ name, datasetIds })),
});

/** Where everything is put, as text: `workspace or name: asset by what (confidence)`. */
function told({ grown, made }: Grouping): string[] {
  const groups = [
    ...grown.map(({ workspaceId, assets }) => ({ where: workspaceId, assets })),
    ...made.map(({ name, assets }) => ({ where: `new ${name}`, assets })),
  ];
  return groups.flatMap(({ where, assets }) =>
    assets.map(({ assetId, by, shared, confidence }) => `${where}: ${assetId} by ${by} ${shared} (${confidence})`),
  );
}

interface Case {
  title: string;
  ungrouped?: UngroupedAsset[];
  places?: ExistingWorkspace[];
  outcome: string[];
}

const cases: Case[] = [
  { title: "nothing is made of nothing", outcome: [] },
  { title: "an asset like no other stays", ungrouped: [asset("a", "churn"), asset("b", "fraud")], outcome: [] },
  {
    title: "assets that share a dataset make a workspace, named by the words that all share",
    ungrouped: [asset("a", "Churn pipeline", ["d1", "d2"]), asset("b", "Monthly churn", ["d1"])],
    outcome: ["new churn: a by dataset d1 (0.5)", "new churn: b by dataset d1 (1)"],
  },
  {
    title: "a workspace whose assets share no word is named by the dataset",
    ungrouped: [asset("a", "churn", ["d1"]), asset("b", "fraud", ["d1"])],
    outcome: ["new dataset d1: a by dataset d1 (1)", "new dataset d1: b by dataset d1 (1)"],
  },
  {
    title: "assets that share a word make a workspace",
    ungrouped: [asset("a", "customer churn"), asset("b", "churn report")],
    outcome: ["new churn: a by name churn (0.5)", "new churn: b by name churn (1)"],
  },
  {
    title: "the largest group comes first, and an asset is in one group",
    ungrouped: [asset("a", "red fox"), asset("b", "red hen"), asset("c", "red"), asset("d", "fox"), asset("e", "hen")],
    outcome: ["new red: a by name red (0.5)", "new red: b by name red (0.5)", "new red: c by name red (1)"],
  },
  {
    title: "of groups of the same size the first in the alphabet is made",
    ungrouped: [asset("a", "zebra apple"), asset("b", "apple zebra"), asset("c", "zebra"), asset("d", "apple")],
    outcome: ["new apple: a by name apple (0.5)", "new apple: b by name apple (0.5)", "new apple: d by name apple (1)"],
  },
  {
    title: "datasets come before words",
    ungrouped: [asset("a", "churn", ["d1"]), asset("b", "fraud", ["d1"]), asset("c", "churn")],
    outcome: ["new dataset d1: a by dataset d1 (1)", "new dataset d1: b by dataset d1 (1)"],
  },
  {
    title: "an asset joins a group just made whose words it has",
    ungrouped: [asset("a", "churn", ["d1"]), asset("b", "churn rate", ["d1"]), asset("c", "churn")],
    outcome: ["new churn: a by dataset d1 (1)", "new churn: b by dataset d1 (1)", "new churn: c by name churn (1)"],
  },
  {
    title: "an asset joins the workspace with which it shares most datasets",
    ungrouped: [asset("a", "x", ["d1", "d2", "d3"])],
    places: [
      place("w1", [["y", ["d1"]]]),
      place("w2", [
        ["y", ["d2"]],
        ["z", ["d3"]],
      ]),
    ],
    outcome: ["w2: a by dataset d2,d3 (0.67)"],
  },
  {
    title: "of two workspaces alike the older is joined",
    ungrouped: [asset("a", "x", ["d1"])],
    places: [place("w1", [["y", ["d1"]]], 2), place("w2", [["y", ["d1"]]], 1)],
    outcome: ["w2: a by dataset d1 (1)"],
  },
  {
    title: "a word ties to a workspace only when all of its assets have it",
    ungrouped: [asset("a", "churn"), asset("b", "fraud")],
    places: [place("w1", [["churn rate"], ["fraud rate"]]), place("w2", [["churn rate"], ["churn report"]])],
    outcome: ["w2: a by name churn (1)"],
  },
  {
    title: "nothing joins a workspace that is empty",
    ungrouped: [asset("a", "churn")],
    places: [place("w", [])],
    outcome: [],
  },
];

describe("the rule of grouping", () => {
  it.each(cases)("$title", ({ ungrouped = [], places = [], outcome }) => {
    expect(told(group(ungrouped, places))).toEqual(outcome);
  });

  it("lets a workspace grow from its oldest asset", () => {
    const { made } = group([asset("b", "churn", [], 2), asset("a", "churn", [], 3), asset("c", "churn", [], 1)], []);
    expect(made.map(({ seedAssetId }) => seedAssetId)).toEqual(["c"]);
  });

  it("keeps a workspace's name within bounds", () => {
    const { made } = group([asset("a", "", ["d".repeat(255)]), asset("b", "", ["d".repeat(255)])], []);
    expect(made[0]?.name).toHaveLength(255);
  });

  it("has its way with ten thousand assets in a few seconds, whatever they share", () => {
    const datasets = Array.from({ length: 100 }, (_, index) => `d${index}`);
    const alike = Array.from({ length: 5_000 }, (_, index) => asset(`a${index}`, `n${index} word`, datasets));
    const pairs = Array.from({ length: 5_000 }, (_, index) => asset(`b${index}`, `pair${index >> 1} x${index % 7}xx`));
    const places = Array.from({ length: 5_000 }, (_, index) => place(`w${index}`, [["other", datasets]]));
    const started = performance.now();
    const outcome = told(group([...alike, ...pairs], places));
    expect(outcome).toHaveLength(10_000);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

const words = fc.constantFrom("churn", "fraud", "risk", "rate", "price");
const names = fc.array(words, { maxLength: 3 }).map((list) => list.join(" "));
const datasets = fc.array(fc.constantFrom("d1", "d2", "d3"), { maxLength: 2 });
const assets = fc
  .array(fc.record({ name: names, datasetIds: datasets, age: fc.nat({ max: 3 }) }), { maxLength: 12 })
  .map((list) => list.map(({ name, datasetIds, age }, index) => asset(`a${index}`, name, datasetIds, age)));
const placesGiven = fc
  .array(fc.record({ held: fc.array(fc.tuple(names, datasets), { maxLength: 3 }), age: fc.nat({ max: 2 }) }), {
    maxLength: 4,
  })
  .map((list) => list.map(({ held, age }, index) => place(`w${index}`, held, age)));

describe("whatever there is to group", () => {
  const shuffled = fc.tuple(assets, placesGiven).chain(([ungrouped, places]) =>
    fc.record({
      ungrouped: fc.constant(ungrouped),
      places: fc.constant(places),
      otherOrder: fc.shuffledSubarray(ungrouped, { minLength: ungrouped.length }),
      otherPlaces: fc.shuffledSubarray(places, { minLength: places.length }),
    }),
  );

  it("comes out the same in whatever order it is given", () => {
    fc.assert(
      fc.property(shuffled, ({ ungrouped, places, otherOrder, otherPlaces }) => {
        expect(group(otherOrder, otherPlaces)).toEqual(group(ungrouped, places));
      }),
    );
  });

  it("puts only what is ungrouped, each once, where it shares what it is said to share", () => {
    fc.assert(
      fc.property(assets, placesGiven, (ungrouped, places) => {
        const { grown, made } = group(ungrouped, places);
        const placed = [...grown, ...made].flatMap((workspace) => workspace.assets);
        const ids = placed.map(({ assetId }) => assetId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ungrouped.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
        for (const { shared, confidence } of placed) {
          expect(shared.length).toBeGreaterThan(0);
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
        for (const { assets: members, seedAssetId } of made) {
          expect(members.length).toBeGreaterThanOrEqual(2);
          expect(members.map(({ assetId }) => assetId)).toContain(seedAssetId);
        }
      }),
    );
  });

  it("leaves no two assets alone that share a dataset, or a word", () => {
    fc.assert(
      fc.property(assets, (ungrouped) => {
        const { made } = group(ungrouped, []);
        const placed = new Set(made.flatMap((workspace) => workspace.assets.map(({ assetId }) => assetId)));
        const alone = ungrouped.filter(({ id }) => !placed.has(id));
        const held = alone.flatMap(({ name, datasetIds }) => [
          ...new Set(name.split(" ").filter(Boolean)),
          ...new Set(datasetIds.map((id) => `dataset ${id}`)),
        ]);
        expect(new Set(held).size).toBe(held.length);
      }),
    );
  });
});
