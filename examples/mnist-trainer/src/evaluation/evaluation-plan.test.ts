import { describe, expect, it } from "vitest";
import { asksForEvaluation, evaluationPlan } from "./evaluation-plan.ts";

const artifact_uri = "file:///models/digits.onnx";

describe("a job's configuration", () => {
  it.each([
    [{ kind: "evaluate" }, true],
    [{ kind: "train" }, false],
    [{ planned_steps: 10 }, false],
  ])("asks for an evaluation: %j → %s", (configuration, expected) => {
    expect(asksForEvaluation(configuration)).toBe(expected);
  });

  it("says which model is judged, on all test images as they are unless it says otherwise", () => {
    const asItIs = { artifactUri: artifact_uri, noise: 0, shift: 0, images: 10_000, seed: 1 };
    expect(evaluationPlan({ kind: "evaluate", artifact_uri })).toEqual(asItIs);
    const changes = { noise: 0.5, shift: -3, images: 500, seed: 7 };
    expect(evaluationPlan({ kind: "evaluate", artifact_uri, ...changes })).toEqual({ ...asItIs, ...changes });
  });

  it.each([
    ["no model", {}, "artifact_uri"],
    ["a model elsewhere", { artifact_uri: "https://models.example/digits.onnx" }, "artifact_uri"],
    ["noise that is none", { artifact_uri, noise: "much" }, "noise"],
    ["noise beyond black and white", { artifact_uri, noise: 2 }, "noise"],
    ["half a pixel", { artifact_uri, shift: 0.5 }, "shift"],
    ["a setting that there is none of", { artifact_uri, planned_steps: 1 }, "planned_steps"],
  ])("is refused with %s", (_, configuration, key) => {
    expect(() => evaluationPlan(configuration)).toThrow(expect.objectContaining({ key }));
  });
});
