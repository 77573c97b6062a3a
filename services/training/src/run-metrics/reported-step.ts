import type { DirectoryEntry } from "../runs/job-directory.ts";
import type { LiveRuns } from "./live-runs.ts";

/** The newest step in force that was reported of a segment, of all that is durable; undefined: none. */
export async function reportedStep(
  live: Pick<LiveRuns, "read">,
  { reference }: Pick<DirectoryEntry, "reference">,
  segmentIndex: number,
): Promise<number | undefined> {
  const { organisationId, runId, jobName } = reference;
  const { run } = await live.read(organisationId, runId, jobName, { fresh: true });
  return run.jobs.get(jobName)?.newestStep(segmentIndex);
}
