import type { FinalMetrics } from "../job-log/job-entry.ts";
import type { DirectoryEntry } from "../runs/job-directory.ts";
import type { LiveRuns } from "./live-runs.ts";

/** What a job's metrics are now, of all that is durable: asked when the job is about to end. */
export async function finalMetrics(
  live: Pick<LiveRuns, "read">,
  { reference, job }: Pick<DirectoryEntry, "reference" | "job">,
): Promise<FinalMetrics> {
  const { organisationId, runId, jobName } = reference;
  const { run } = await live.read(organisationId, runId, jobName, { fresh: true });
  const series = [...(run.jobs.get(jobName)?.series ?? [])];
  const latest = series.flatMap(([name, each]) => {
    const newest = each.newest();
    return newest ? [{ name, value: newest.value }] : [];
  });
  const byName = latest.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { latest: byName, primary: job.primaryMetric?.name ?? "" };
}
