import { describe, expect, it } from "vitest";
import { impactMessage, nextPassAfter } from "./deletion.ts";

const job = { organisationId: "o", runId: "r", jobName: "train" };

describe("what a deletion says", () => {
  it.each<[string, Parameters<typeof impactMessage>[0], string]>([
    ["of a run", { kind: "run", runs: 1, activeJobs: [], dryRun: false }, "The run is deleted."],
    ["of a run, tried", { kind: "run", runs: 1, activeJobs: [], dryRun: true }, "The run would be deleted."],
    [
      "of a run that trains",
      { kind: "run", runs: 1, activeJobs: [job], dryRun: true },
      "The run cannot be deleted: 1 job active.",
    ],
    [
      "of a pipeline",
      { kind: "pipeline", runs: 0, activeJobs: [], dryRun: false },
      "The pipeline with 0 runs is deleted.",
    ],
    [
      "of a pipeline, tried",
      { kind: "pipeline", runs: 1, activeJobs: [], dryRun: true },
      "The pipeline with 1 run would be deleted.",
    ],
    [
      "of a pipeline that trains",
      { kind: "pipeline", runs: 3, activeJobs: [job, job], dryRun: true },
      "The pipeline with 3 runs cannot be deleted: 2 jobs active.",
    ],
  ])("%s is one sentence", (_what, deletion, sentence) => {
    expect(impactMessage(deletion)).toBe(sentence);
  });
});

describe("a pass over the data of a deleted run", () => {
  const deletedAt = new Date(100_000);
  const pass = (beganAtMs: number, isUnpublished = false) =>
    nextPassAfter({ deletedAt, beganAt: new Date(beganAtMs), isUnpublished, settleMs: 60_000 })?.getTime();

  it.each<[string, number | undefined, number | undefined]>([
    ["at once is followed by one when all calls have ended", pass(100_000), 160_000],
    ["just before that is followed by one", pass(159_999), 160_000],
    ["from then on is the last", pass(160_000), undefined],
    ["that left events to be published is repeated soon", pass(100_000, true), 101_000],
    ["that left events to be published is never the last", pass(900_000, true), 901_000],
  ])("%s", (_what, next, expected) => {
    expect(next).toBe(expected);
  });
});
