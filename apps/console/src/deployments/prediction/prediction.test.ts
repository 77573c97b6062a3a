import { describe, expect, it } from "vitest";
import { deploymentObjection } from "../actions/deployment-rules.ts";
import { digitPixels } from "./digit-pixels.ts";
import { digitInput, exampleBody, firstOutput, readMetadata } from "./model-metadata.ts";

const digits = {
  name: "digits",
  inputs: [{ name: "images", datatype: "FP32", shape: [-1, 784] }],
  outputs: [{ name: "probabilities", datatype: "FP32", shape: [-1, 10] }],
};

describe("what a model says of itself", () => {
  it("becomes a request to begin with", () => {
    const metadata = readMetadata({ inputs: [{ name: "x", datatype: "FP32", shape: [-1, 2] }] });
    expect(exampleBody(metadata)).toEqual({ inputs: [{ name: "x", datatype: "FP32", shape: [1, 2], data: [0, 0] }] });
  });

  it("becomes any JSON where it names no tensors", () => {
    expect(exampleBody(readMetadata({ name: "handler" }))).toEqual({ input: {} });
  });

  it.each([
    [digits, "images"],
    [{ inputs: [{ name: "x", datatype: "INT64", shape: [1, 784] }] }, undefined],
    [{ inputs: [{ name: "x", datatype: "FP32", shape: [-1, 2] }] }, undefined],
    [{ inputs: [digits.inputs[0], digits.inputs[0]] }, undefined],
    [{}, undefined],
  ])("shows whether a drawn digit fits: %o", (answer, name) => {
    expect(digitInput(readMetadata(answer))?.name).toBe(name);
  });
});

describe("the answer of a model", () => {
  it("has the values of its first tensor", () => {
    expect(firstOutput({ outputs: [{ name: "p", data: [0.1, 0.9] }] })).toEqual([0.1, 0.9]);
  });

  it("has no values where it is no answer of the protocol", () => {
    expect(firstOutput({ output: "text" })).toEqual([]);
  });
});

describe("a drawn digit", () => {
  const drawing = (isInk: (x: number, y: number) => boolean) => {
    const ink = Array.from({ length: 224 * 224 }, (_, index) => Number(isInk(index % 224, Math.floor(index / 224))));
    return { width: 224, height: 224, ink };
  };
  const centre = (pixels: readonly number[]) => {
    const sum = pixels.reduce((total, value) => total + value, 0);
    const mean = (of: (index: number) => number) =>
      pixels.reduce((total, value, index) => total + value * (of(index) + 0.5), 0) / sum;
    return [mean((index) => index % 28), mean((index) => Math.floor(index / 28))];
  };

  it("is nothing while nothing is drawn", () => {
    expect(digitPixels(drawing(() => false))).toBeUndefined();
  });

  it("stands in the middle, wherever it was drawn", () => {
    const pixels = digitPixels(drawing((x, y) => x < 20 && y < 100)) ?? [];
    expect(pixels).toHaveLength(784);
    for (const each of centre(pixels)) expect(each).toBeCloseTo(14, 0);
  });

  it("fills twenty pixels, however small it was drawn", () => {
    const pixels = digitPixels(drawing((x, y) => x >= 100 && x < 110 && y >= 50 && y < 90)) ?? [];
    const rows = new Set(pixels.flatMap((value, index) => (value > 0 ? [Math.floor(index / 28)] : [])));
    expect(rows.size).toBe(20);
  });
});

describe("an action on a deployment", () => {
  it.each([
    ["stop", "Running", undefined],
    ["stop", "Stopped", "Not possible while the deployment is stopped."],
    ["start", "Stopped", undefined],
    ["canary", "Pending", "Not possible while the deployment is pending."],
  ] as const)("%s of one that is %s", (action, status, objection) => {
    expect(deploymentObjection(action, { status, model_id: "m" })).toBe(objection);
  });

  it("says why a bundle cannot be rolled out here", () => {
    expect(deploymentObjection("rollout", { status: "Running", model_id: null })).toContain("through the API");
  });
});
