import type { JobFacts } from "../jobs/job-entry.ts";
import { type JobSnapshot, liveLease } from "../jobs/job-snapshot.ts";
import type { Action } from "./control-command.ts";
import type { Judgement } from "./judge-command.ts";

/** A command to record, without what follows from the job it is recorded in. */
export interface NewCommand {
  id: string;
  action: Action;
  checkpointId?: string;
  overrides: string;
  idempotencyKey: string;
  fingerprint: string;
  requestedByMemberId?: string;
}

/** Everything that becomes true with the command: its place, its outcome if it has one, whom it overtakes. */
export function commandFacts(job: JobSnapshot, command: NewCommand, judgement: Judgement, at: Date): JobFacts {
  const sequence = job.lastSequence + 1;
  const { status, detail, superseded, takesOver } = judgement;
  const epoch = takesOver ? job.epoch + 1 : job.epoch;
  const lease = takesOver ? liveLease(job, at) : undefined;
  return {
    command: { ...command, sequence, epoch, status, ...(detail ? { detail } : {}), createdAt: at },
    ...(superseded.length > 0
      ? { resolutions: [{ sequences: superseded, status: "rejected", detail: `superseded by sequence ${sequence}` }] }
      : {}),
    ...(lease ? { lease: { ...lease, ended: "revoked" }, epoch } : {}),
  };
}
