import { NotFoundError } from "../errors.ts";
import type { JobAddress, JobDirectory } from "../jobs/job-directory.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import { projectedState } from "../jobs/job-snapshot.ts";
import type { JobState } from "../jobs/job-state.ts";
import { segmentOpenedBy, stateAfter } from "./control-command.ts";
import { discardedSteps, judgeCommand, type WantedCommand } from "./judge-command.ts";

/** What would come of a command. */
export interface CommandPreview {
  accepted: boolean;
  detail?: string;
  projectedState: JobState;
  resultingState?: JobState;
  checkpointId?: string;
  discardedSteps?: number;
  supersededSequences: number[];
}

/** Says what the command would lead to, on the job as its log is now. Throws NotFoundError. */
export async function previewControlCommand(
  { directory, logs, clock }: { directory: JobDirectory; logs: JobLogs; clock: () => Date },
  organisationId: string,
  address: JobAddress,
  wanted: WantedCommand,
): Promise<CommandPreview> {
  const found = await directory.find(organisationId, address);
  if (!found) throw new NotFoundError();
  const job = await logs.currentState(found.reference);
  const { status, detail, checkpointId, superseded } = judgeCommand(job, found.job, wanted, clock());
  const projected = projectedState(job);
  const goesBack = status === "pending" && segmentOpenedBy(wanted.action) !== undefined && wanted.action !== "resume";
  const discarded = goesBack && checkpointId ? discardedSteps(job, checkpointId) : undefined;
  return {
    accepted: status !== "rejected",
    ...(detail ? { detail } : {}),
    projectedState: projected,
    ...(status === "rejected" ? {} : { resultingState: status === "pending" ? stateAfter(wanted.action) : projected }),
    ...(checkpointId ? { checkpointId } : {}),
    ...(discarded === undefined ? {} : { discardedSteps: discarded }),
    supersededSequences: superseded,
  };
}
