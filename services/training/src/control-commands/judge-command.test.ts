import { describe, expect, it } from "vitest";
import type { Action, Checkpoint } from "../job-log/job-entry.ts";
import { initialJob, type JobSnapshot } from "../job-log/job-snapshot.ts";
import type { JobState } from "../job-log/job-state.ts";
import { PendingCommands } from "../job-log/pending-commands.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { hashToken } from "../supervision-leases/supervision-lease.ts";
import { type CommandRequest, judgeCommand } from "./judge-command.ts";

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

function checkpoint(id: string, step: number, segmentIndex: number, loss: number): Checkpoint {
  const metrics = [{ name: "loss", value: loss }];
  return { id, step, segmentIndex, metrics, uri: "", sha256: "", sizeBytes: 0, createdAt: now };
}

const segment = { overrides: "{}", startedAt: now };
/** Segment 1 went back to step 20 of segment 0 and has reached step 40; `paused` saved it there. */
const paused: JobSnapshot = {
  ...initialJob,
  state: "paused",
  settledState: "paused",
  pauseCheckpointId: "head",
  segments: [
    { ...segment, index: 0, kind: "initial", startStep: 0, archivedFromStep: 20 },
    { ...segment, index: 1, kind: "rollback", parentIndex: 0, startStep: 20, checkpointId: "early" },
  ],
  checkpoints: [
    checkpoint("early", 20, 0, 0.5),
    checkpoint("archived", 30, 0, 0.1),
    checkpoint("newest", 35, 1, 0.3),
    checkpoint("broken", 38, 1, Number.NaN),
    checkpoint("head", 40, 1, 0.4),
  ],
};

function judge(job: JobSnapshot, action: Action, rest: Partial<CommandRequest> = {}) {
  return judgeCommand(job, declaration, { action, overrides: "{}", mayOverride: false, ...rest }, now);
}

function withPending(job: JobSnapshot, ...actions: Action[]): JobSnapshot {
  const pending = actions.map((action, index) => {
    const sequence = index + 1;
    return { id: String(sequence), sequence, position: sequence, action, epoch: 0, createdAt: now };
  });
  return { ...job, lastSequence: actions.length, pending: PendingCommands.of(pending) };
}

describe("the checkpoint that a command would use", () => {
  it("is, for a rollback of a paused job, the newest on its way before the pause", () => {
    expect(judge(paused, "rollback").checkpointId).toBe("broken");
  });

  it("is, for a rollback of a running job, the newest on its way", () => {
    expect(judge({ ...paused, state: "running" }, "rollback").checkpointId).toBe("head");
  });

  it.each<[Action]>([["warm_restart"], ["finish_from_checkpoint"]])(
    "is the best by the primary metric for %s",
    (action) => {
      expect(judge(paused, action).checkpointId).toBe("archived");
    },
  );

  it("is the newest where no checkpoint has the primary metric", () => {
    const unmeasured = { ...paused, checkpoints: paused.checkpoints.map((each) => ({ ...each, metrics: [] })) };
    expect(judge(unmeasured, "warm_restart").checkpointId).toBe("head");
  });

  it("is the pause's for a resume, and no other", () => {
    expect(judge(paused, "resume").checkpointId).toBe("head");
    expect(judge(paused, "resume", { checkpointId: "head" }).status).toBe("pending");
    expect(judge(paused, "resume", { checkpointId: "early" }).detail).toBe("not the pause checkpoint");
    expect(judge(paused, "resume", { checkpointId: "unknown" }).detail).toBe("unknown checkpoint");
  });

  it("need not be there yet when a pause is ahead that will save one", () => {
    const bare: JobSnapshot = { ...initialJob, state: "running" };
    expect(judge(bare, "finish_from_checkpoint").detail).toBe("no checkpoint");
    expect(judge(withPending(bare, "pause"), "finish_from_checkpoint").status).toBe("pending");
  });
});

describe("an abort", () => {
  const running: JobSnapshot = { ...initialJob, state: "running" };

  it.each<[JobState, Action[], string]>([
    ["running", ["continue", "finish_from_checkpoint"], "pending"],
    ["running", ["abort"], "applied"],
    ["failed", ["rollback"], "pending"],
    ["failed", [], "rejected"],
    ["completed", [], "rejected"],
  ])("of a job that is %s with %j pending is %s", (state, pending, status) => {
    expect(judge(withPending({ ...running, state }, ...pending), "abort").status).toBe(status);
  });

  it("supersedes everything that is pending", () => {
    expect(judge(withPending(running, "pause", "resume"), "abort").superseded).toEqual([1, 2]);
  });
});

describe("supervision", () => {
  const token = "0198c0de-0000-7000-8000-000000000002";
  const lease = {
    id: "lease",
    tokenHash: hashToken(token),
    epoch: 1,
    acquiredAt: now,
    expiresAt: new Date(now.getTime() + 1),
  };
  const supervised: JobSnapshot = { ...initialJob, state: "running", lease, epoch: 1 };
  const over: JobSnapshot = { ...supervised, lease: { ...lease, expiresAt: now } };
  const proof = { supervisionId: "lease", token };

  it.each<[string, JobSnapshot, Partial<CommandRequest>, string | undefined]>([
    ["refuses commands without the lease", supervised, {}, "supervised"],
    ["takes commands under it", supervised, { proof }, undefined],
    ["takes its token in any spelling", supervised, { proof: { ...proof, token: token.toUpperCase() } }, undefined],
    ["refuses another token", supervised, { proof: { ...proof, token: lease.id } }, "lease lost"],
    ["refuses another lease", supervised, { proof: { ...proof, supervisionId: "other" } }, "lease lost"],
    ["refuses one that has run out", over, { proof }, "lease expired"],
    [
      "refuses one that was marked as run out",
      { ...over, lease: { ...lease, ended: "expired" } },
      { proof },
      "lease expired",
    ],
    ["refuses one that was taken over", { ...over, lease: { ...lease, ended: "revoked" } }, { proof }, "lease lost"],
    ["is no obstacle once it has run out", over, {}, undefined],
  ])("%s", (_title, job, rest, detail) => {
    expect(judge(job, "pause", rest).detail).toBe(detail);
  });

  it("is taken over by pause and abort of a member who may, and only when they are not rejected", () => {
    expect(judge(supervised, "abort", { mayOverride: true })).toMatchObject({ status: "pending", takesOver: true });
    expect(judge({ ...supervised, state: "paused" }, "pause", { mayOverride: true })).toMatchObject({
      takesOver: true,
    });
    expect(judge({ ...supervised, state: "completed" }, "abort", { mayOverride: true })).toMatchObject({
      takesOver: false,
    });
    expect(judge(supervised, "continue", { mayOverride: true }).detail).toBe("supervised");
  });
});
