import type { JobFacts, RecordedCommand } from "../job-log/job-entry.ts";
import { activeLease, type JobSnapshot } from "../job-log/job-snapshot.ts";
import type { Judgement } from "./judge-command.ts";

/** A command to record, without what follows from the job it is recorded in. */
export type NewCommand = Omit<RecordedCommand, "sequence" | "epoch" | "status" | "detail" | "createdAt">;

/** Everything that becomes true with the command: its place, its outcome if it has one, the commands it supersedes. */
export function commandFacts(job: JobSnapshot, command: NewCommand, judgement: Judgement, at: Date): JobFacts {
  const sequence = job.lastSequence + 1;
  const { status, detail, superseded, takesOver } = judgement;
  const epoch = takesOver ? job.epoch + 1 : job.epoch;
  const lease = takesOver ? activeLease(job, at) : undefined;
  return {
    command: { ...command, sequence, epoch, status, ...(detail ? { detail } : {}), createdAt: at },
    ...(superseded.length > 0
      ? { resolutions: [{ sequences: superseded, status: "rejected", detail: `superseded by sequence ${sequence}` }] }
      : {}),
    ...(lease ? { lease: { ...lease, ended: "revoked" }, epoch } : {}),
  };
}
