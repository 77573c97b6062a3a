import { describe, expect, it } from "vitest";
import type { JobEntry, JobFacts, RecordedCommand, SupervisionLease } from "../job-log/job-entry.ts";
import { foldEntry } from "../job-log/job-fold.ts";
import { initialJob, type JobSnapshot } from "../job-log/job-snapshot.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { resumeNow } from "./scheduled-resume.ts";

const at = (second: number) => new Date(second * 1_000);
const declaration: JobDeclaration = {
  name: "train",
  overrides: [],
  stallTimeoutSeconds: 120,
  heartbeatTimeoutSeconds: 60,
  leaseExpiryPolicy: "keep",
  configuration: "{}",
};
const checkpoint = {
  id: "c",
  step: 5,
  segmentIndex: 0,
  metrics: [],
  uri: "",
  sha256: "",
  sizeBytes: 0,
  createdAt: at(0),
};
const lease: SupervisionLease = { id: "l", tokenHash: "", epoch: 2, acquiredAt: at(0), expiresAt: at(900) };
const paused: JobSnapshot = {
  ...initialJob,
  ...{ state: "paused", settledState: "paused", pauseCheckpointId: "c", checkpoints: [checkpoint], epoch: 1 },
  scheduledResume: { at: at(60), commandId: "7f1c6c2e-6f4e-4a52-9d0c-0c5a9d7f3b11", sequence: 1, epoch: 1 },
};

describe("a resume that a pause has asked for", () => {
  it.each<[string, JobSnapshot, number, string | undefined]>([
    ["is not made before its time", paused, 59, undefined],
    ["is made at its time", paused, 60, "pending"],
    ["is made later where nothing looked before", paused, 600, "pending"],
    ["is not made where none is asked for", { ...paused, scheduledResume: undefined }, 600, undefined],
    ["is made under the lease of the pause", { ...paused, lease: { ...lease, epoch: 1 } }, 60, "pending"],
    ["is refused to a job that another lease supervises now", { ...paused, lease, epoch: 2 }, 60, "rejected"],
    ["is made when that lease has run out", { ...paused, lease, epoch: 2 }, 901, "pending"],
  ])("%s", (_what, job, second, status) => {
    const facts = resumeNow(job, declaration, at(second), "id");
    expect(facts?.command?.status).toBe(status);
    expect(facts?.pauseEnded).toBe(status === undefined ? undefined : true);
  });

  it("has one key, whichever replica makes it", () => {
    const keyOf = (id: string) => resumeNow(paused, declaration, at(60), id)?.command?.idempotencyKey;
    expect(keyOf("one")).toBe(keyOf("another"));
  });
});

const command = (rest: Partial<RecordedCommand>): RecordedCommand => ({
  ...{ id: "p", sequence: 2, action: "pause", overrides: "{}", idempotencyKey: "k", fingerprint: "f", epoch: 1 },
  ...{ status: "pending", createdAt: at(10), ...rest },
});

describe("what a job knows of the end of its pause", () => {
  const scheduled = { ...paused, lastSequence: 1 };
  it.each<[string, JobFacts, number | undefined]>([
    ["stays with facts that are not about it", { checkpoint }, 60],
    ["is that of the newest pause", { command: command({ resumeAt: at(90) }) }, 90],
    ["is none after a pause without one", { command: command({}) }, undefined],
    ["is none after another command", { command: command({ action: "resume" }) }, undefined],
    ["stays after a command that is refused", { command: command({ status: "rejected", resumeAt: at(90) }) }, 60],
    [
      "is none when the trainer refuses the pause",
      { resolutions: [{ sequences: [1], status: "rejected" }] },
      undefined,
    ],
    ["stays when the trainer applies the pause", { resolutions: [{ sequences: [1], status: "applied" }] }, 60],
    ["is none after it", { pauseEnded: true }, undefined],
    ["is none after the end of the job", { state: { from: "paused", to: "failed" } }, undefined],
  ])("%s", (_what, facts, second) => {
    const entry: JobEntry = { position: 1, kind: "command", at: at(10), decision: "d", facts };
    expect(foldEntry(scheduled, entry).scheduledResume?.at).toEqual(second === undefined ? undefined : at(second));
  });
});
