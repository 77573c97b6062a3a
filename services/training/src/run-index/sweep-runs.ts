import type { JobLogs } from "../job-log/job-logs.ts";
import type { RunDocument } from "../runs/run-document.ts";
import { type IndexReportsDependencies, indexReports } from "./index-reports.ts";
import { markedForMs } from "./report-marks.ts";

export interface SweepReportsDependencies extends IndexReportsDependencies {
  clock: () => Date;
}

export interface AdoptRunsDependencies extends SweepReportsDependencies {
  logs: Pick<JobLogs, "currentState">;
}

const maxRuns = 100;

/**
 * Indexes reports that may have been missed, because the process that stored them has ended. Any number of replicas may do it at
 * once. Answers whether there may be more.
 */
export async function sweepReports(dependencies: SweepReportsDependencies): Promise<boolean> {
  const { index, clock } = dependencies;
  return await forEachRun(await index.due(clock(), maxRuns), async (run) => {
    const { organisation_id: organisationId, _id: runId } = run;
    const isNewer = await indexReports(dependencies, { organisationId, runId });
    if (!isNewer) await index.settle(run);
  });
}

/** Has runs of an earlier version found like others. Answers whether there may be more. */
export async function adoptRuns(dependencies: AdoptRunsDependencies): Promise<boolean> {
  const { index, logs, clock } = dependencies;
  return await forEachRun(await index.unindexed(maxRuns), async (run) => {
    const { organisation_id: organisationId, pipeline_id: pipelineId, _id: runId } = run;
    const states = run.jobs.map(async ({ name }) => {
      const { state, position } = await logs.currentState({ organisationId, pipelineId, runId, jobName: name });
      return { name, state, position };
    });
    // Marked as if something had been reported now: what is being stored at this moment saw no mark.
    await index.adopt(run, await Promise.all(states), new Date(clock().getTime() + markedForMs));
    await indexReports(dependencies, { organisationId, runId });
  });
}

async function forEachRun(runs: readonly RunDocument[], handle: (run: RunDocument) => Promise<void>): Promise<boolean> {
  const failures: unknown[] = [];
  // One run that cannot be indexed must not keep the others from it.
  for (const run of runs) await handle(run).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${runs.length} runs were not indexed`);
  return runs.length === maxRuns;
}
