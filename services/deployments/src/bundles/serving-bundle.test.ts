import { InvalidFieldsError } from "@aiplatform/service-host";
import { describe, expect, it } from "vitest";
import { checkBundle, type GivenBundle } from "./serving-bundle.ts";

const handler = { name: "handler", path: "handler.mjs" };
const code = { name: "handler", content: '"export default (input) => input"' };
const good: GivenBundle = {
  runtime: { type: "prebuilt", value: "node" },
  interface: { input: '{"type":"object"}', output: "{}" },
  artifacts: [handler],
  datasets: [{ datasetId: "d", alias: "train" }],
  modelRefs: [{ modelId: "m", alias: "mnist" }],
  contents: [code],
};
const onnx: Partial<GivenBundle> = { runtime: { type: "prebuilt", value: "onnx" }, artifacts: [], contents: [] };

function problemsOf(changes: Partial<GivenBundle>): [field: string, reason: string | undefined][] {
  try {
    checkBundle({ ...good, ...changes });
    return [];
  } catch (error) {
    if (!(error instanceof InvalidFieldsError)) throw error;
    return error.violations.map(({ field, reason }) => [field, reason]);
  }
}

describe("a bundle", () => {
  it("is read with the contents of its files", () => {
    expect(checkBundle(good)).toEqual({
      runtime: "node",
      interface: good.interface,
      datasets: good.datasets,
      modelRefs: good.modelRefs,
      files: [{ path: "handler.mjs", content: { bytes: Buffer.from("export default (input) => input") } }],
    });
  });

  it.each<[string, Partial<GivenBundle>]>([
    ["one model reference for onnx", onnx],
    [
      "one file for onnx, and others beside it",
      {
        ...onnx,
        modelRefs: [],
        artifacts: [
          { name: "m", path: "m.onnx" },
          { name: "labels", path: "labels.json" },
        ],
        contents: [
          { name: "m", content: '{"base64":""}' },
          { name: "labels", content: "[]" },
        ],
      },
    ],
    ["the same alias for a model and a dataset", { datasets: [{ datasetId: "d", alias: "mnist" }] }],
  ])("may have %s", (_what, changes) => {
    expect(problemsOf(changes)).toEqual([]);
  });

  it.each<[string, Partial<GivenBundle>, string, string]>([
    [
      "a runtime of an unknown type",
      { runtime: { type: "image", value: "node" } },
      "serving_bundle.runtime.type",
      "RUNTIME_UNKNOWN",
    ],
    [
      "an unknown runtime",
      { runtime: { type: "prebuilt", value: "torch" } },
      "serving_bundle.runtime.value",
      "RUNTIME_UNKNOWN",
    ],
    [
      "a runtime named as objects' own things are",
      { runtime: { type: "prebuilt", value: "constructor" } },
      "serving_bundle.runtime.value",
      "RUNTIME_UNKNOWN",
    ],
    [
      "a path that leads out",
      { artifacts: [handler, { name: "x", path: "../x" }], contents: [code, { name: "x", content: "1" }] },
      "serving_bundle.artifacts[1].path",
      "PATH_INVALID",
    ],
    [
      "two files at one path",
      { artifacts: [handler, { name: "x", path: "Handler.mjs" }], contents: [code, { name: "x", content: "1" }] },
      "serving_bundle.artifacts[1].path",
      "PATH_REPEATED",
    ],
    [
      "a file where a model lies",
      { artifacts: [handler, { name: "x", path: "models/mnist.onnx" }], contents: [code, { name: "x", content: "1" }] },
      "serving_bundle.artifacts[1].path",
      "PATH_REPEATED",
    ],
    [
      "an artifact twice",
      { artifacts: [handler, { name: "handler", path: "b" }] },
      "serving_bundle.artifacts[1].name",
      "NAME_REPEATED",
    ],
    ["a content twice", { contents: [code, code] }, "artifacts[1].name", "NAME_REPEATED"],
    [
      "an artifact without a content",
      { artifacts: [handler, { name: "x", path: "x" }] },
      "serving_bundle.artifacts[1].name",
      "CONTENT_MISSING",
    ],
    [
      "a content without an artifact",
      { contents: [code, { name: "x", content: "1" }] },
      "artifacts[1].name",
      "ARTIFACT_UNDECLARED",
    ],
    [
      "a content that cannot be read",
      { contents: [{ name: "handler", content: '{"base64":"?"}' }] },
      "artifacts[0].content.base64",
      "CONTENT_INVALID",
    ],
    [
      "an alias twice among models",
      { modelRefs: [...good.modelRefs, { modelId: "n", alias: "mnist" }] },
      "model_refs[1].alias",
      "ALIAS_REPEATED",
    ],
    [
      "an alias twice among datasets",
      { datasets: [...good.datasets, ...good.datasets] },
      "serving_bundle.datasets[1].alias",
      "ALIAS_REPEATED",
    ],
    [
      "an alias that leads out",
      { modelRefs: [{ modelId: "m", alias: "../x" }] },
      "model_refs[0].alias",
      "ALIAS_INVALID",
    ],
    ["no handler for node", { artifacts: [], contents: [] }, "serving_bundle.artifacts", "HANDLER_MISSING"],
    ["no model for onnx", { ...onnx, modelRefs: [] }, "serving_bundle.artifacts", "MODEL_AMBIGUOUS"],
    [
      "two models for onnx",
      { ...onnx, modelRefs: [...good.modelRefs, { modelId: "n", alias: "other" }] },
      "serving_bundle.artifacts",
      "MODEL_AMBIGUOUS",
    ],
  ])("cannot have %s", (_what, changes, field, reason) => {
    expect(problemsOf(changes)).toEqual([[field, reason]]);
  });

  it("is told all that is wrong with it", () => {
    const changes = { runtime: { type: "prebuilt", value: "x" }, contents: [], artifacts: [{ name: "a", path: "/a" }] };
    expect(problemsOf(changes)).toEqual([
      ["serving_bundle.runtime.value", "RUNTIME_UNKNOWN"],
      ["serving_bundle.artifacts[0].path", "PATH_INVALID"],
      ["serving_bundle.artifacts[0].name", "CONTENT_MISSING"],
    ]);
  });
});
