import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobState } from "../job-log/job-state.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";
import { projectedState, segmentOpenedBy, stateAfter } from "./control-command.ts";
import { type CommandRequest, discardedSteps, judgeCommand } from "./judge-command.ts";

export interface CommandPreview {
  accepted: boolean;
  detail?: string;
  projectedState: JobState;
  resultingState?: JobState;
  checkpointId?: string;
  discardedSteps?: number;
  supersededSequences: number[];
}

/**
 * Says what the command would lead to, on the job as its log is now.
 * @throws JobNotFoundError
 */
export async function previewControlCommand(
  { directory, logs, clock }: { directory: JobDirectory; logs: JobLogs; clock: () => Date },
  organisationId: string,
  address: JobAddress,
  wanted: CommandRequest,
): Promise<CommandPreview> {
  const { reference, job: declaration } = await directory.get(organisationId, address);
  const job = await logs.currentState(reference);
  const { status, detail, checkpointId, superseded } = judgeCommand(job, declaration, wanted, clock());
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
