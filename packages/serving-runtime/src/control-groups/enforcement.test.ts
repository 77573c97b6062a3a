import { describe, expect, it } from "vitest";
import type { SandboxTier } from "../sandbox/sandbox.ts";
import type { Controller } from "./delegation.ts";
import { enforcementOf, enforcementText } from "./enforcement.ts";

const opened = (...controllers: Controller[]) => ({
  kind: "cgroup" as const,
  controllers: new Set(controllers),
  lacks: undefined,
});
const none = { kind: "none", reason: "the service may not make groups" } as const;

describe("what holds instances to their limits", () => {
  it.each<[string, Parameters<typeof enforcementOf>[0], SandboxTier | "none", string]>([
    [
      "is a control group with every controller",
      opened("memory", "cpu", "pids"),
      "landlock",
      "memory: cgroup, processor: cgroup and watched, threads: cgroup",
    ],
    [
      "is what there was before for each controller that is missing",
      opened("memory"),
      "namespaces",
      "memory: cgroup, processor: niceness and watched, threads: prlimit",
    ],
    [
      "is what there was before without controllers",
      opened(),
      "landlock",
      "memory: watched, processor: niceness and watched, threads: nothing",
    ],
    [
      "is what there was before without control groups",
      none,
      "none",
      "memory: watched, processor: niceness and watched, threads: nothing",
    ],
  ])("%s", (_title, groups, kind, expected) => {
    expect(enforcementText(enforcementOf(groups, { kind }))).toBe(expected);
  });

  it("says why control groups do not", () => {
    expect(enforcementOf(none, { kind: "none" }).lacks).toBe("the service may not make groups");
    expect(enforcementOf({ ...opened("cpu"), lacks: "memory: no" }, { kind: "none" }).lacks).toBe("memory: no");
    expect(enforcementOf(opened("cpu"), { kind: "none" })).not.toHaveProperty("lacks");
  });
});
