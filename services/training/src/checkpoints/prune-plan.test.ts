import { describe, expect, it } from "vitest";
import type { Action, Checkpoint } from "../job-log/job-entry.ts";
import { initialJob, type JobSnapshot } from "../job-log/job-snapshot.ts";
import { PendingCommands } from "../job-log/pending-commands.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { type KeepReason, type KeepRule, planPruning } from "./prune-plan.ts";

const now = new Date("2026-01-01T00:00:00Z");
const declaration: JobDeclaration = {
  name: "train",
  overrides: [],
  primaryMetric: { name: "loss", goal: "minimize" },
  stallTimeoutSeconds: 120,
  heartbeatTimeoutSeconds: 60,
  leaseExpiryPolicy: "keep",
  configuration: "{}",
};
const unmeasured: JobDeclaration = { ...declaration };
delete unmeasured.primaryMetric;

function checkpoint(id: string, segmentIndex: number, loss: number): Checkpoint {
  const metrics = [{ name: "loss", value: loss }];
  return { id, step: 1, segmentIndex, metrics, uri: "", sha256: "", sizeBytes: 0, createdAt: now };
}

const segment = { overrides: "{}", startedAt: now };
/** Segment 1 went back to `b`; its newest checkpoint is `e`. */
const running: JobSnapshot = {
  ...initialJob,
  state: "running",
  settledState: "running",
  segments: [
    { ...segment, index: 0, kind: "initial", startStep: 0 },
    { ...segment, index: 1, kind: "rollback", parentIndex: 0, startStep: 1, checkpointId: "b" },
  ],
  checkpoints: [
    checkpoint("a", 0, 0.9),
    checkpoint("b", 0, 0.5),
    checkpoint("c", 0, 0.1),
    checkpoint("d", 1, Number.NaN),
    checkpoint("e", 1, 0.5),
  ],
};
const justRolledBack: JobSnapshot = { ...running, checkpoints: running.checkpoints.slice(0, 3) };
const paused: JobSnapshot = { ...running, state: "paused", settledState: "paused", pauseCheckpointId: "d" };
const artifact = { uri: "", sha256: "", sizeBytes: 0, format: "onnx", metrics: [], checkpointId: "a" };

function withPending(action: Action, checkpointId?: string): JobSnapshot {
  const command = { id: "1", sequence: 1, position: 1, action, epoch: 0, createdAt: now };
  return { ...running, pending: PendingCommands.of([{ ...command, ...(checkpointId ? { checkpointId } : {}) }]) };
}

function plan(job: JobSnapshot, { rule = {}, of = declaration }: { rule?: KeepRule; of?: JobDeclaration } = {}) {
  const { pruned, kept } = planPruning({ job, declaration: of, chosen: job.checkpoints, rule });
  const reasons = Object.fromEntries(kept.map(({ checkpoint: { id }, reasons }) => [id, reasons]));
  return { pruned: pruned.map(({ id }) => id).join(""), reasons };
}

describe("what a job needs", () => {
  it.each<[string, JobSnapshot, Record<string, KeepReason[]>]>([
    ["is the best, and the newest of the active segment", running, { c: ["best"], e: ["resume"] }],
    ["is, paused, what it was paused at", paused, { c: ["best"], d: ["resume"], e: ["resume"] }],
    [
      "is no longer that of a pause that is over",
      { ...paused, settledState: "running" },
      { c: ["best"], e: ["resume"] },
    ],
    [
      "is, while it resumes, still that of the pause",
      { ...paused, state: "restoring" },
      { c: ["best"], d: ["resume"], e: ["resume"] },
    ],
    ["is what a segment without one of its own began from", justRolledBack, { b: ["segment"], c: ["best"] }],
    ["is, before any segment, the newest", { ...justRolledBack, segments: [] }, { c: ["best", "resume"] }],
    ["is, failed, the same: it may be taken up again", { ...running, state: "failed" }, { c: ["best"], e: ["resume"] }],
    ["is, completed, the best", { ...running, state: "completed" }, { c: ["best"] }],
    ["is, aborted, the best", { ...justRolledBack, state: "aborted" }, { c: ["best"] }],
    ["is what its result was made of", { ...running, state: "completed", artifact }, { a: ["result"], c: ["best"] }],
    [
      "is what a pending command names",
      withPending("rollback", "a"),
      { a: ["pending_command"], c: ["best"], e: ["resume"] },
    ],
    ["is nothing for a pending pause", withPending("pause"), { c: ["best"], e: ["resume"] }],
  ])("%s", (_what, job, reasons) => {
    expect(plan(job).reasons).toEqual(reasons);
  });

  it.each<Action>(["resume", "rollback", "warm_restart", "finish_from_checkpoint"])(
    "is everything while a pending %s may choose",
    (action) => {
      expect(plan(withPending(action)).pruned).toBe("");
    },
  );

  it("is the newest without a primary metric: it is published", () => {
    expect(plan({ ...running, state: "completed" }, { of: unmeasured }).reasons).toEqual({ e: ["best"] });
  });

  it("is never one that was pruned", () => {
    const checkpoints = running.checkpoints.map((each) => (each.id === "c" ? { ...each, prunedAt: now } : each));
    expect(plan({ ...running, checkpoints }).reasons).toEqual({ e: ["best", "resume"] });
  });
});

describe("a rule", () => {
  it.each<[string, KeepRule, string]>([
    ["of nothing prunes all that the job does not need", {}, "abd"],
    ["keeps the newest", { keepNewest: 2 }, "ab"],
    ["keeps the best, of equals the newest", { keepBest: 2 }, "abd"],
    ["keeps the best, never one without a value", { keepBest: 9 }, "d"],
    ["keeps what either of two keeps", { keepNewest: 2, keepBest: 3 }, "a"],
    ["keeps all where there are fewer", { keepNewest: 9 }, ""],
  ])("%s", (_what, rule, pruned) => {
    expect(plan(running, { rule }).pruned).toBe(pruned);
  });

  it("of the best keeps those with the most of a metric to maximise", () => {
    const of: JobDeclaration = { ...declaration, primaryMetric: { name: "loss", goal: "maximize" } };
    expect(plan(running, { rule: { keepBest: 2 }, of }).pruned).toBe("bcd");
  });
});
