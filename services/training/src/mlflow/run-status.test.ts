import { describe, expect, it } from "vitest";
import { type JobState, jobStates } from "../job-log/job-state.ts";
import { endOfJobs, runStatuses, statesOfStatus, statusOfJobs } from "./run-status.ts";

const at = (ms: number, state: JobState) => ({ state, stateSince: new Date(ms) });

describe("the status of a run", () => {
  it("has each state of a job once", () => {
    expect(runStatuses.flatMap((status) => statesOfStatus[status]).toSorted()).toEqual(jobStates.toSorted());
  });

  it.each<[JobState[], string]>([
    [["queued"], "SCHEDULED"],
    [["paused"], "RUNNING"],
    [["completed"], "FINISHED"],
    [["aborted"], "KILLED"],
    [["completed", "running"], "RUNNING"],
    [["failed", "completed"], "FAILED"],
    [["failed", "aborted"], "FAILED"],
    [["completed", "queued"], "SCHEDULED"],
    [["completed", "completed"], "FINISHED"],
  ])("with jobs that are %j is %s", (states, status) => {
    expect(statusOfJobs(states.map((state) => ({ state })))).toBe(status);
  });

  it("has an end once all jobs have one: the last", () => {
    expect(endOfJobs([at(5, "completed"), at(9, "failed")])).toEqual(new Date(9));
    expect(endOfJobs([at(5, "completed"), at(9, "running")])).toBeUndefined();
  });
});
