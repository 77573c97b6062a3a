import { describe, expect, it } from "vitest";
import type { Checkpoint } from "../job-log/job-entry.ts";
import { cutsOf, JobLive } from "./job-live.ts";
import { primaryMetricJson, primaryMetricOf } from "./primary-metric.ts";

const loss = { name: "loss", goal: "minimize" } as const;
const nothingYet = { value: null, step: null, best_value: null, best_step: null, best_checkpoint_id: null };

/** A job that reported the values at steps 1, 2, 3 and so on. */
function jobWith(metric: string, ...values: number[]): JobLive {
  const job = new JobLive(cutsOf([]));
  const columns = [{ name: metric, steps: values.map((_, index) => index + 1), values, observedAtMs: 0 }];
  job.fold({
    organisationId: "o",
    runId: "r",
    jobName: "train",
    counter: 1,
    sequence: 1,
    segment: 0,
    archived: false,
    acceptedAt: new Date(1_000),
    report: { columns, phases: [], latestLog: undefined, heartbeat: undefined, resources: undefined },
  });
  return job;
}

function checkpoint(id: string, value: number): Checkpoint {
  const metrics = [{ name: "loss", value }];
  return { id, step: 1, segmentIndex: 0, metrics, uri: "", sha256: "", sizeBytes: 0, createdAt: new Date(0) };
}

function shown(...of: Parameters<typeof primaryMetricOf>) {
  return JSON.parse(primaryMetricJson(primaryMetricOf(...of)));
}

describe("nothing to show", () => {
  it.each([
    { of: "a job without a primary metric", primary: undefined, job: jobWith("loss", 1) },
    { of: "a job without reports", primary: loss, job: undefined },
  ])("is an empty object: $of", ({ primary, job }) => {
    expect(shown(primary, job, [checkpoint("c", 1)])).toEqual({});
  });
});

describe("a primary metric", () => {
  it.each([
    {
      what: "to minimise has the lowest value as its best",
      primary: loss,
      job: jobWith("loss", 3, 1, 2),
      fields: { value: 2, step: 3, best_value: 1, best_step: 2 },
    },
    {
      what: "to maximise has the highest value as its best",
      primary: { name: "loss", goal: "maximize" } as const,
      job: jobWith("loss", 1, 3, 2),
      fields: { value: 2, step: 3, best_value: 3, best_step: 2 },
    },
    {
      what: "has the first of equals as its best",
      primary: loss,
      job: jobWith("loss", 1, 1),
      fields: { value: 1, step: 2, best_value: 1, best_step: 1 },
    },
    {
      what: "shows NaN, which is never the best, as a string",
      primary: loss,
      job: jobWith("loss", 2, Number.NaN),
      fields: { value: "NaN", step: 2, best_value: 2, best_step: 1 },
    },
    {
      what: "of which only NaN was reported has no best",
      primary: loss,
      job: jobWith("loss", Number.NaN),
      fields: { value: "NaN", step: 1 },
    },
    {
      what: "shows an infinity as a string",
      primary: loss,
      job: jobWith("loss", Number.NEGATIVE_INFINITY),
      fields: { value: "-Infinity", step: 1, best_value: "-Infinity", best_step: 1 },
    },
    { what: "that was not reported yet has no values", primary: loss, job: jobWith("accuracy", 1), fields: {} },
    {
      what: "may have any name",
      primary: { name: 'a "quoted" \\ name', goal: "minimize" } as const,
      job: jobWith('a "quoted" \\ name', 1),
      fields: { value: 1, step: 1, best_value: 1, best_step: 1 },
    },
  ])("$what", ({ primary, job, fields }) => {
    expect(shown(primary, job, [])).toEqual({ ...primary, ...nothingYet, ...fields });
  });

  it("names the checkpoint whose own value is best, though the points know a better one", () => {
    const checkpoints = [checkpoint("worse", 3), checkpoint("best", 2)];
    expect(shown(loss, jobWith("loss", 1), checkpoints)).toMatchObject({ best_value: 1, best_checkpoint_id: "best" });
  });
});
