import type { FinalMetrics } from "../job-log/job-entry.ts";
import type { DirectoryEntry } from "../runs/job-directory.ts";
import type { LiveRuns } from "./live-runs.ts";

/** The newest point in force of a metric. */
export interface NewestPoint {
  name: string;
  value: number;
  step: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** The newest point of each of a job's metrics, by name, of all that is durable. */
export async function newestPoints(
  live: Pick<LiveRuns, "read">,
  { reference }: Pick<DirectoryEntry, "reference">,
): Promise<NewestPoint[]> {
  const { organisationId, runId, jobName } = reference;
  const { run } = await live.read(organisationId, runId, jobName, { fresh: true });
  const points = [...(run.jobs.get(jobName)?.series ?? [])].flatMap(([name, each]) => {
    const newest = each.newest();
    return newest ? [{ name, value: newest.value, step: newest.step, at: newest.at }] : [];
  });
  return points.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What a job's metrics are now, of all that is durable: asked when the job is about to end. */
export async function finalMetrics(
  live: Pick<LiveRuns, "read">,
  found: Pick<DirectoryEntry, "reference" | "job">,
): Promise<FinalMetrics> {
  const latest = (await newestPoints(live, found)).map(({ name, value }) => ({ name, value }));
  return { latest, primary: found.job.primaryMetric?.name ?? "" };
}
