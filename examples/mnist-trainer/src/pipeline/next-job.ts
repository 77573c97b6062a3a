import { JobState, type Run } from "@aiplatform/contract/aiplatform/training/v1/runs";

/** A job of a run, as it is taken. */
export interface TakenJob {
  runId: string;
  jobName: string;
  configuration: object;
}

/** States in which there is nothing for a trainer to do. */
const over: ReadonlySet<JobState> = new Set([JobState.COMPLETED, JobState.FAILED, JobState.ABORTED]);

/** Whether the job has ended, for the time being at least: the next one may begin. */
export function hasEnded(state: JobState): boolean {
  return over.has(state);
}

/** The job to take of these runs, newest first as they are listed: one that was begun here before, else the one that waits longest. */
export function nextJob(
  runs: readonly Run[],
  isOwn: (runId: string, jobName: string) => boolean,
): TakenJob | undefined {
  const jobs = runs.toReversed().flatMap(({ id: runId, jobs: each }) =>
    each.map(({ job, state }) => {
      const configuration: object = JSON.parse(job?.configuration?.text || "{}");
      return { taken: { runId, jobName: job?.name ?? "", configuration }, state };
    }),
  );
  const open = jobs.filter(({ state }) => !hasEnded(state));
  const own = open.find(({ taken }) => isOwn(taken.runId, taken.jobName));
  return (own ?? open.find(({ state }) => state === JobState.QUEUED))?.taken;
}
