import { describe, expect, it } from "vitest";
import { failureOfExit, type ProcessExit, tooMuchMemory } from "./process-exit.ts";

const killed: ProcessExit = {
  ...{ code: null, signal: "SIGKILL", killedFor: undefined, wasReady: true },
  ...{ isMemoryFull: false, memoryEnd: undefined, lastLine: "loading", memoryMb: 256 },
};
const silent = { reason: "HealthCheckFailed", message: "The instance does not answer." } as const;

describe("what the end of an instance means", () => {
  it.each<[string, Partial<ProcessExit>, string, RegExp]>([
    ["that we ended is what we ended it for", { killedFor: silent }, "HealthCheckFailed", /does not answer/],
    [
      "by its own limit of memory is that",
      { memoryEnd: "limit" },
      "ResourcesUnavailable",
      /than the 256 MiB of memory_mb/,
    ],
    [
      "by its own limit is that although it did not answer either",
      { memoryEnd: "limit", killedFor: silent },
      "ResourcesUnavailable",
      /256 MiB/,
    ],
    [
      "for the memory of all does not name its own",
      { memoryEnd: "machine" },
      "ResourcesUnavailable",
      /^The machine or/,
    ],
    ["that says that it got no memory is that", { isMemoryFull: true }, "ResourcesUnavailable", /256 MiB/],
    ["of which nothing is known is told", {}, "HealthCheckFailed", /ended by SIGKILL, and is started again: loading/],
    ["before it was ready is told", { wasReady: false, signal: null, code: 3 }, "ModelLoadFailed", /ended with code 3/],
  ])("%s", (_title, more, reason, message) => {
    expect(failureOfExit({ ...killed, ...more })).toEqual({ reason, message: expect.stringMatching(message) });
  });

  it("names the limit that was set", () => {
    expect(tooMuchMemory(512).message).toBe(
      "The instance took more memory than the 512 MiB of memory_mb, and was ended.",
    );
  });
});
