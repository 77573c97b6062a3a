import { describe, expect, it } from "vitest";
import { changedPipeline, type Pipeline, type PipelineChange } from "./pipeline.ts";

const at = new Date(1);
const pipeline: Pipeline = {
  id: "p",
  name: "Digits",
  description: "of a scanner",
  annotations: '{"team": 1}',
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

describe("a change of a pipeline", () => {
  it.each<[string, PipelineChange, Partial<Pipeline>]>([
    ["its name", { name: "Numbers" }, { name: "Numbers" }],
    ["its description, which may be empty", { description: "" }, { description: "" }],
    ["its annotations as a whole", { annotations: "{}" }, { annotations: "{}" }],
    [
      "all of it",
      { name: "a", description: "b", annotations: "{}" },
      { name: "a", description: "b", annotations: "{}" },
    ],
  ])("replaces %s, and says when", (_what, change, expected) => {
    expect(changedPipeline(pipeline, change, at)).toEqual({ ...pipeline, ...expected, updatedAt: at });
  });

  it.each<[string, PipelineChange]>([
    ["names nothing", {}],
    ["says what is known", { name: "Digits", annotations: '{"team": 1}' }],
  ])("that %s changes nothing", (_what, change) => {
    expect(changedPipeline(pipeline, change, at)).toBe(pipeline);
  });
});
