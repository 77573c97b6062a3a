import { JobState, RunSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { nextJob } from "./next-job.ts";

const { QUEUED, RUNNING, PAUSED, COMPLETED, FAILED } = JobState;

const run = (id: string, ...states: JobState[]) =>
  create(RunSchema, {
    id,
    jobs: states.map((state, index) => ({
      job: { name: `j${index}`, configuration: { text: '{"kind":"evaluate"}' } },
      state,
    })),
  });

/** `run/job` that is taken of runs as they are listed, newest first. */
const taken = (runs: ReturnType<typeof run>[], ...own: string[]) => {
  const job = nextJob(runs, (runId, jobName) => own.includes(`${runId}/${jobName}`));
  return job && `${job.runId}/${job.jobName}`;
};

describe("the next job of a pipeline", () => {
  it.each([
    ["is the one that waits longest", [run("new", QUEUED), run("old", QUEUED)], [], "old/j0"],
    ["is the first of its run", [run("r", COMPLETED, QUEUED, QUEUED)], [], "r/j1"],
    ["is none that another trainer is at", [run("new", QUEUED), run("old", RUNNING)], [], "new/j0"],
    ["is the one that was begun here", [run("new", RUNNING), run("old", QUEUED)], ["new/j0"], "new/j0"],
    ["is the one that was paused here", [run("new", PAUSED), run("old", QUEUED)], ["new/j0"], "new/j0"],
    ["is none that has ended, here or elsewhere", [run("new", COMPLETED), run("old", FAILED)], ["old/j0"], undefined],
    ["is none where there are no runs", [], [], undefined],
  ])("%s", (_, runs, own, expected) => {
    expect(taken(runs, ...own)).toBe(expected);
  });

  it("comes with its configuration", () => {
    expect(nextJob([run("r", QUEUED)], () => false)?.configuration).toEqual({ kind: "evaluate" });
  });
});
