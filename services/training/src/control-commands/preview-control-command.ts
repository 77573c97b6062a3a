import type { JobLogs } from "../job-log/job-logs.ts";
import { activeSegmentIndex } from "../job-log/job-snapshot.ts";
import type { JobState } from "../job-log/job-state.ts";
import type { DirectoryEntry, JobAddress, JobDirectory } from "../runs/job-directory.ts";
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

export interface PreviewDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  clock: () => Date;
  /** The newest step that was reported of a segment, of all that is durable; undefined: none. */
  reportedStep: (found: DirectoryEntry, segmentIndex: number) => Promise<number | undefined>;
}

/**
 * Says what the command would lead to, on the job as its log is now.
 * @throws JobNotFoundError
 */
export async function previewControlCommand(
  { directory, logs, clock, reportedStep }: PreviewDependencies,
  organisationId: string,
  address: JobAddress,
  wanted: CommandRequest,
): Promise<CommandPreview> {
  const found = await directory.get(organisationId, address);
  const { reference, job: declaration } = found;
  const job = await logs.currentState(reference);
  const { status, detail, checkpointId, superseded } = judgeCommand(job, declaration, wanted, clock());
  const projected = projectedState(job);
  const goesBack = status === "pending" && segmentOpenedBy(wanted.action) !== undefined && wanted.action !== "resume";
  const discarded =
    goesBack && checkpointId
      ? discardedSteps(job, checkpointId, await reportedStep(found, activeSegmentIndex(job)))
      : undefined;
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
