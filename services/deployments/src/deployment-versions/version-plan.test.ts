import { describe, expect, it } from "vitest";
import type { ModelVersion } from "../models/model-version.ts";
import type { DeploymentVersion } from "./deployment-version.ts";
import { defaultRunConfig } from "./run-config.ts";
import { digestOf, isPlanned, planOfBundle, planOfModel, planOfVersion, repinned } from "./version-plan.ts";

const modelVersion = (id: string, modelId = "m"): ModelVersion => ({
  id,
  organisationId: "o",
  modelId,
  number: 1,
  status: "ready",
  format: "onnx",
  artifactSha256: `sha of ${id}`,
  sizeBytes: 10,
  createdAt: new Date(0),
});
const bundle = {
  runtime: "node" as const,
  interface: { input: "{}", output: "{}" },
  datasets: [{ datasetId: "d", alias: "train" }],
  modelRefs: [
    { modelId: "m", alias: "a" },
    { modelId: "n", alias: "b" },
  ],
  files: [],
};
const stored = [{ path: "handler.mjs", sha256: "h", sizeBytes: 3 }];
const planned = (...pinned: ModelVersion[]) =>
  planOfBundle(bundle, { bundleText: "{}", stored, pinned, runConfig: defaultRunConfig });
const two = planned(modelVersion("m1"), modelVersion("n1", "n"));

describe("what a version is made of", () => {
  it("is the model's artifact alone", () => {
    const plan = planOfModel(modelVersion("m1"), defaultRunConfig);
    expect(plan.files).toEqual([{ path: "model.onnx", sha256: "sha of m1", sizeBytes: 10 }]);
    expect(repinned(plan, [modelVersion("m2")])).toEqual(planOfModel(modelVersion("m2"), defaultRunConfig));
  });

  it("is a bundle's files and its models at their aliases", () => {
    expect(two.files.map(({ path, sha256 }) => [path, sha256])).toEqual([
      ["handler.mjs", "h"],
      ["models/a.onnx", "sha of m1"],
      ["models/b.onnx", "sha of n1"],
    ]);
  });

  it("may be the same with another version of one model", () => {
    const next = [modelVersion("m2"), modelVersion("n1", "n")];
    expect(repinned(two, next)).toEqual(planned(modelVersion("m2"), modelVersion("n1", "n")));
  });
});

describe("the digest of what is served", () => {
  it("does not depend on order, nor on how it runs", () => {
    const other = { ...two, files: two.files.toReversed(), runConfig: { ...defaultRunConfig, memoryMb: 64 } };
    expect(digestOf(other)).toBe(digestOf(two));
  });

  it.each([
    ["runtime", { runtime: "onnx" as const }],
    ["schema", { interface: { input: "{}", output: '{"type":"object"}' } }],
    ["dataset", { datasets: [] }],
    ["file", { files: stored }],
  ])("is another with another %s", (_what, change) => {
    expect(digestOf({ ...two, ...change })).not.toBe(digestOf(two));
  });
});

describe("a version", () => {
  const version: DeploymentVersion = {
    id: "v",
    organisationId: "o",
    deploymentId: "dep",
    number: 1,
    modelVersionId: "m1",
    modelName: "x",
    createdAt: new Date(0),
    digest: digestOf(two),
    ...two,
  };

  it("is what was planned", () => {
    expect(planOfVersion(version)).toEqual(two);
    expect(isPlanned(version, two)).toBe(true);
  });

  it("is not what runs otherwise, or comes from elsewhere", () => {
    expect(isPlanned(version, { ...two, runConfig: { ...defaultRunConfig, network: true } })).toBe(false);
    expect(isPlanned(version, { ...two, models: two.models.toReversed() })).toBe(false);
  });
});
