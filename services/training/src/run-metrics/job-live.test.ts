import { describe, expect, it } from "vitest";
import type { Segment } from "../job-log/job-snapshot.ts";
import type { AcceptedReport, Report } from "../metric-reports/report.ts";
import { cutsOf, JobLive } from "./job-live.ts";
import { RunLive } from "./run-live.ts";

const quiet: Report = { columns: [], phases: [], latestLog: undefined, heartbeat: undefined, resources: undefined };
const whole = { maxPoints: 500, afterSequence: 0, includeArchived: false };

function batch(
  sequence: number,
  o: Partial<AcceptedReport> & { points?: [number, number][]; metric?: string },
): AcceptedReport {
  const { points = [], metric = "loss", ...rest } = o;
  const columns = [
    { name: metric, steps: points.map(([step]) => step), values: points.map(([, value]) => value), observedAtMs: 0 },
  ];
  return {
    organisationId: "o",
    runId: "r",
    jobName: "train",
    counter: sequence,
    sequence,
    segment: 0,
    archived: false,
    acceptedAt: new Date(sequence * 1000),
    report: { ...quiet, columns },
    ...rest,
  };
}

function segment(index: number, o: Partial<Segment> = {}): Segment {
  return {
    index,
    kind: index === 0 ? "initial" : "rollback",
    startStep: 0,
    overrides: "",
    startedAt: new Date(0),
    ...o,
  };
}

function lossOf(job: JobLive, query: Partial<typeof whole> & { segment?: number } = {}) {
  return JSON.parse(job.series.get("loss")?.json({ ...whole, ...query }) ?? "null");
}

describe("the fold of a job's batches", () => {
  it("puts the points of all batches in order", () => {
    const job = new JobLive(cutsOf([]));
    job.fold(
      batch(1, {
        points: [
          [1, 0.5],
          [2, 0.4],
        ],
      }),
    );
    job.fold(batch(2, { points: [[3, 0.3]] }));
    expect(lossOf(job)).toEqual({ steps: [1, 2, 3], values: [0.5, 0.4, 0.3], segments: [0, 0, 0], sampled: false });
  });

  it("gives a reader who has some only what is newer", () => {
    const job = new JobLive(cutsOf([]));
    job.fold(batch(1, { points: [[1, 0.5]] }));
    job.fold(batch(2, { points: [[2, 0.4]] }));
    expect(lossOf(job, { afterSequence: 1 }).steps).toEqual([2]);
    expect(lossOf(job, { afterSequence: 2 })).toBeNull();
  });

  it("writes what JSON has no number for as text", () => {
    const job = new JobLive(cutsOf([]));
    job.fold(
      batch(1, {
        points: [
          [1, Number.NaN],
          [2, Number.POSITIVE_INFINITY],
          [3, Number.NEGATIVE_INFINITY],
        ],
      }),
    );
    expect(lossOf(job).values).toEqual(["NaN", "Infinity", "-Infinity"]);
  });

  it("archives what a rollback left behind, and shows it on request", () => {
    const job = new JobLive(cutsOf([segment(0, { archivedFromStep: 2 }), segment(1)]));
    job.fold(
      batch(1, {
        points: [
          [1, 1],
          [2, 2],
          [3, 30],
          [4, 40],
        ],
      }),
    );
    job.fold(batch(2, { segment: 1, points: [[3, 3]] }));
    expect(lossOf(job)).toMatchObject({ steps: [1, 2, 3], values: [1, 2, 3], segments: [0, 0, 1] });
    expect(lossOf(job, { includeArchived: true } as never).steps).toEqual([1, 2, 3, 4, 3]);
    expect(lossOf(job, { segment: 1 }).steps).toEqual([3]);
    expect(job.series.get("loss")?.newest()).toMatchObject({ step: 3, value: 3 });
  });

  it("archives a late batch as a whole: it neither shows nor counts as newest, best or progress", () => {
    const job = new JobLive(cutsOf([segment(0), segment(1, { kind: "resume" })]));
    job.fold(batch(1, { segment: 1, points: [[5, 5]] }));
    job.fold(batch(2, { segment: 0, archived: true, points: [[9, 0.1]] }));
    const loss = job.series.get("loss");
    expect(lossOf(job).steps).toEqual([5]);
    expect(loss?.newest()?.step).toBe(5);
    expect(loss?.best("minimize")).toEqual({ value: 5, step: 5 });
    expect(job.progressAt).toBe(1_000);
    expect(job.lastSeenAt).toBe(2_000);
  });

  it("takes the first best value, and never NaN", () => {
    const job = new JobLive(cutsOf([]));
    job.fold(
      batch(1, {
        points: [
          [1, Number.NaN],
          [2, 3],
          [3, 1],
          [4, 1],
        ],
      }),
    );
    expect(job.series.get("loss")?.best("minimize")).toEqual({ value: 1, step: 3 });
    expect(job.series.get("loss")?.best("maximize")).toEqual({ value: 3, step: 2 });
  });

  it("counts only higher steps as progress", () => {
    const job = new JobLive(cutsOf([]));
    job.fold(batch(1, { points: [[5, 1]] }));
    job.fold(
      batch(2, {
        points: [
          [5, 1],
          [4, 1],
        ],
      }),
    );
    expect(job.progressAt).toBe(1_000);
  });

  it("keeps a metric of any name", () => {
    const job = new JobLive(cutsOf([]));
    job.fold(batch(1, { metric: "__proto__", points: [[1, 1]] }));
    expect(job.series.get("__proto__")?.newest()?.value).toBe(1);
  });
});

describe("the fold of a run", () => {
  it("takes only the batch that is next", () => {
    const run = new RunLive();
    expect(run.fold(batch(2, {}), () => cutsOf([]))).toBe(false);
    expect(run.fold(batch(1, {}), () => cutsOf([]))).toBe(true);
    expect(run.fold(batch(1, {}), () => cutsOf([]))).toBe(false);
    expect(run.sequence).toBe(1);
  });
});
