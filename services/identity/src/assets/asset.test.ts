import { describe, expect, it } from "vitest";
import { type Asset, AssetOwnedError, assertRegisteredHere, isKnownAs } from "./asset.ts";

const time = new Date(0);
const asset: Asset = {
  id: "a",
  organisationId: "acme",
  name: "Churn report",
  kind: "report",
  datasetIds: ["d1", "d2"],
  workspaceIds: ["w"],
  createdAt: time,
  updatedAt: time,
};

describe("what is said of an asset", () => {
  it.each([
    ["is known when nothing differs", {}, true],
    ["is news when the name differs", { name: "Churn" }, false],
    ["is news when the kind differs", { kind: "dataset" }, false],
    ["is news when a service claims it", { owner: "training" }, false],
    ["is news when a dataset is missing", { datasetIds: ["d1"] }, false],
    ["is news when the datasets are in another order", { datasetIds: ["d2", "d1"] }, false],
  ])("%s", (_, difference, known) => {
    expect(isKnownAs(asset, { ...asset, ...difference })).toBe(known);
  });
});

describe("an asset of a service", () => {
  it("cannot be changed here", () => {
    expect(() => assertRegisteredHere(asset)).not.toThrow();
    expect(() => assertRegisteredHere({ owner: "training" })).toThrow(new AssetOwnedError("training"));
  });
});
