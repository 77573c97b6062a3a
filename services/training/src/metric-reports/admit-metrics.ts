import { type FieldViolation, InvalidFieldsError } from "@aiplatform/service-host";
import type { JobKey } from "../job-log/job-entry.ts";
import type { JobNameStore } from "../job-names/job-name-store.ts";
import { maxMetricsPerJob, type ReportedColumn } from "./report.ts";

/**
 * Adds the metrics of a batch to the job's before the batch is stored, whichever replica takes it. Costs nothing while no
 * metric is new.
 * @throws InvalidFieldsError when they would be too many; then none is added
 */
export async function admitMetrics(
  names: Pick<JobNameStore, "known" | "add">,
  job: JobKey,
  columns: readonly ReportedColumn[],
): Promise<void> {
  const known = names.known(job);
  const fresh = freshNames(known, columns);
  if (fresh.length === 0) return;
  // The job has at least what is known here, so what is too much for that needs no question to the database.
  const has = known.size + fresh.length > maxMetricsPerJob ? known : await names.add(job, fresh);
  const problem = surplusOf(has, columns);
  if (problem) throw new InvalidFieldsError([problem]);
}

/** Names of the columns with points that are not known, once each. */
function freshNames(known: ReadonlySet<string>, columns: readonly ReportedColumn[]): string[] {
  const withPoints = columns.filter(({ steps, name }) => steps.length > 0 && !known.has(name));
  return [...new Set(withPoints.map(({ name }) => name))];
}

/** The first column whose metric is one too many for a job that has these, if the job did not get them all. */
export function surplusOf(has: ReadonlySet<string>, columns: readonly ReportedColumn[]): FieldViolation | undefined {
  const first = freshNames(has, columns)[maxMetricsPerJob - has.size];
  if (first === undefined) return undefined;
  const index = columns.findIndex(({ name, steps }) => name === first && steps.length > 0);
  const description =
    `would be metric ${maxMetricsPerJob + 1} of the job, which may have at most ${maxMetricsPerJob} different ones; ` +
    "report under a name the job has already, or keep what differs each time (a step, an id) out of the name";
  return { field: `columns[${index}].name`, reason: "METRICS_TOO_MANY", description };
}
