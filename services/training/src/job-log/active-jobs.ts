import type { JobKey, JobReference } from "./job-entry.ts";
import { type JobLogStore, jobKeyText } from "./job-log-store.ts";
import type { JobLogs } from "./job-logs.ts";
import { isActive } from "./job-state.ts";

export interface ActiveJobsDependencies {
  logs: Pick<JobLogs, "currentState">;
  logStore: Pick<JobLogStore, "markedActive" | "clearActive">;
}

/** Active jobs that are told of. */
const maxActiveJobs = 100;
/** Jobs that an error names. */
const maxNamed = 5;
const markedAtOnce = 200;

/** Jobs that a trainer has taken and that are not at their end stand in the way. */
export abstract class ActiveJobsError extends Error {
  readonly jobs: readonly JobKey[];
  constructor(jobs: readonly JobKey[]) {
    const named = jobs.slice(0, maxNamed).map(({ runId, jobName }) => `${jobName} of run ${runId}`);
    const further = jobs.length > maxNamed ? " and more" : "";
    super(`These jobs are active: ${named.join(", ")}${further}. Abort them or wait for their end`);
    this.jobs = jobs;
  }
}

/** Those of the jobs that are active. */
export async function activeAmong(
  { logs }: Pick<ActiveJobsDependencies, "logs">,
  jobs: readonly JobReference[],
): Promise<JobReference[]> {
  const states = await Promise.all(jobs.map((job) => logs.currentState(job)));
  return jobs.filter((_job, index) => isActive(states[index]?.state ?? "queued"));
}

/** The first jobs of the pipeline that are active. An index tells which can be. */
export async function activeJobsOfPipeline(
  { logs, logStore }: ActiveJobsDependencies,
  organisationId: string,
  pipelineId: string,
): Promise<JobReference[]> {
  const active = new Map<string, JobReference>();
  for (let after = ""; active.size < maxActiveJobs; ) {
    const { jobs, last } = await logStore.markedActive(organisationId, { pipelineId, after, limit: markedAtOnce });
    for (const job of jobs) {
      const { state, position } = await logs.currentState(job);
      if (isActive(state)) active.set(jobKeyText(job), job);
      // The process that wrote its end was killed before it took the marks away.
      else await logStore.clearActive(job, position);
    }
    if (last === undefined) break;
    after = last;
  }
  return [...active.values()].slice(0, maxActiveJobs);
}

/** Takes the marks of jobs away whose end this process has written. */
export function clearEndedJobs(
  { logs, logStore }: { logs: Pick<JobLogs, "onChange">; logStore: Pick<JobLogStore, "clearActive"> },
  warn: (error: unknown) => void,
): void {
  logs.onChange((job, { isOwn, before, entry, job: after }) => {
    if (!isOwn || !isActive(before.state) || isActive(after.state)) return;
    // Who asks for active jobs takes away what is left here.
    logStore.clearActive(job, entry.position).catch(warn);
  });
}
