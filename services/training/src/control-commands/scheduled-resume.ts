import { v5 as namedId } from "uuid";
import type { JobFacts } from "../job-log/job-entry.ts";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import type { JobDeclaration } from "../runs/run.ts";
import { commandFacts } from "./command-facts.ts";
import { commandFingerprint } from "./command-fingerprint.ts";
import { judgeCommand } from "./judge-command.ts";

/** The resume that a pause has asked for, when its time has come; `id` is the command's. */
export function resumeNow(job: JobSnapshot, declaration: JobDeclaration, at: Date, id: string): JobFacts | undefined {
  const { scheduledResume: scheduled, lease: _lease, ...unsupervised } = job;
  if (!scheduled || at < scheduled.at) return undefined;
  // The lease under which the pause was asked for allows its end as well; a later one does not.
  const seen = scheduled.epoch === job.epoch ? unsupervised : job;
  const action = "resume";
  const judgement = judgeCommand(
    { ...seen, scheduledResume: undefined },
    declaration,
    { action, overrides: "{}", mayOverride: false },
    at,
  );
  // The key follows from the pause, so that the job is never resumed twice for one.
  const idempotencyKey = namedId("pause-until", scheduled.commandId);
  const fingerprint = commandFingerprint({ action, overrides: "{}" });
  const command = { id, action, overrides: "{}", idempotencyKey, fingerprint } as const;
  return { ...commandFacts(job, command, judgement, at), pauseEnded: true };
}
