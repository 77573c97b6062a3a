import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { describe, expect, it } from "vitest";
import { missedStates } from "./missed-states.ts";

const { QUEUED, PREPARING, RUNNING, HELD, PAUSED, FINISHING, FAILED } = JobState;

describe("what the platform has missed", () => {
  it.each([
    ["running", QUEUED, [PREPARING, RUNNING]],
    ["running", FAILED, [PREPARING, RUNNING]],
    ["running", PREPARING, [RUNNING]],
    ["running", HELD, [RUNNING]],
    ["running", RUNNING, []],
    ["complete", QUEUED, [PREPARING, RUNNING]],
    ["complete", FAILED, [PREPARING, RUNNING]],
    ["complete", PREPARING, [RUNNING]],
    ["complete", RUNNING, []],
    ["complete", FINISHING, []],
    ["failed", RUNNING, [FAILED]],
    ["failed", FAILED, []],
    ["new", QUEUED, []],
    ["paused", PAUSED, []],
    ["ended", RUNNING, []],
  ] as const)("is told by a trainer that is %s where the job is %i: %j", (status, known, told) => {
    expect(missedStates(status, known)).toEqual(told);
  });
});
