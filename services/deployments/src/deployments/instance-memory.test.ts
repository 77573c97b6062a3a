import { describe, expect, it } from "vitest";
import { defaultRunConfig } from "../deployment-versions/run-config.ts";
import { instanceMemory, type MemoryFacts } from "./instance-memory.ts";

const sized = (maxInstances: number, memoryMb: number) => ({ ...defaultRunConfig, maxInstances, memoryMb });
const versions = new Map([
  ["small", sized(1, 100)],
  ["large", sized(4, 1_000)],
]);
const facts: MemoryFacts = {
  desiredState: "serve",
  currentVersionId: undefined,
  runConfig: sized(2, 500),
  canary: undefined,
};

describe("the memory of a deployment's instances", () => {
  it.each<[string, Partial<MemoryFacts>, number]>([
    ["is that of the most instances of its first version", {}, 1_000],
    ["is that of the version to come where it is larger", { currentVersionId: "small" }, 1_000],
    ["is that of the version that serves where it is larger", { currentVersionId: "large" }, 4_000],
    ["includes a canary", { currentVersionId: "small", canary: { versionId: "large" } }, 5_000],
    ["is none when it is stopped", { desiredState: "stopped", currentVersionId: "large" }, 0],
    ["is none when it is being deleted", { desiredState: "deleted" }, 0],
  ])("%s", (_title, changes, expected) => {
    expect(instanceMemory({ ...facts, ...changes }, versions)).toBe(expected);
  });
});
