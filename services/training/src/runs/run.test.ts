import { describe, expect, it } from "vitest";
import { bytesOfRun, changedRun, type Run, type RunChange, TooManyTagsError, tagsOf } from "./run.ts";

const at = new Date(1);
const run: Run = {
  id: "r",
  organisationId: "o",
  pipelineId: "p",
  name: "First try",
  jobs: [],
  tags: tagsOf({ author: "ada", stage: "candidate" }),
  notes: "slow",
  parameters: "{}",
  datasets: [],
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

describe("a change of a run", () => {
  it.each<[string, RunChange, Partial<Run>]>([
    ["replaces its name", { name: "Second" }, { name: "Second" }],
    ["replaces its notes, which may be empty", { notes: "" }, { notes: "" }],
    [
      "sets a tag and keeps the others",
      { tags: { stage: "best" } },
      { tags: tagsOf({ author: "ada", stage: "best" }) },
    ],
    ["adds a tag in its place", { tags: { b: "1" } }, { tags: tagsOf({ author: "ada", b: "1", stage: "candidate" }) }],
    ["removes a tag that is set to an empty text", { tags: { author: "" } }, { tags: tagsOf({ stage: "candidate" }) }],
    [
      "takes any name for a tag",
      { tags: { ["__proto__"]: "x", $set: "y" } },
      { tags: tagsOf({ $set: "y", ["__proto__"]: "x", author: "ada", stage: "candidate" }) },
    ],
  ])("%s", (_what, change, expected) => {
    expect(changedRun(run, change, at)).toEqual({ ...run, ...expected, updatedAt: at });
  });

  it.each<[string, RunChange]>([
    ["names nothing", {}],
    ["says what is known", { name: "First try", tags: { author: "ada" } }],
    ["removes a tag that it lacks", { tags: { other: "" } }],
  ])("that %s changes nothing", (_what, change) => {
    expect(changedRun(run, change, at)).toBe(run);
  });

  it("leaves 100 tags at most", () => {
    const tags = Object.fromEntries(Array.from({ length: 98 }, (_, index) => [`tag-${index}`, "x"]));
    expect(changedRun(run, { tags }, at).tags).toHaveLength(100);
    expect(() => changedRun(run, { tags: { ...tags, more: "x" } }, at)).toThrow(TooManyTagsError);
    expect(changedRun(run, { tags: { ...tags, more: "x", author: "" } }, at).tags).toHaveLength(100);
  });
});

describe("the bytes that a run declares", () => {
  it("are those of its jobs as before, and of parameters where it has some", () => {
    expect(bytesOfRun(run)).toBe(2);
    expect(bytesOfRun({ ...run, parameters: '{"a":"ä"}' })).toBe(2 + 10);
  });
});
