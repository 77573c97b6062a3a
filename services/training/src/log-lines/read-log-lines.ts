import { decodeCursor, encodeCursor, InvalidCursorError, type Page } from "@aiplatform/document-store";
import type { JobReference } from "../job-log/job-entry.ts";
import type { LineFilter, LogBatch, LogBatchStore, LoggedLine } from "../metric-reports/log-batch-store.ts";
import type { MetricBucketStore } from "../metric-reports/metric-bucket-store.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";

export interface ReadLogLinesDependencies {
  directory: Pick<JobDirectory, "get">;
  logBatches: Pick<LogBatchStore, "each">;
  metricBuckets: Pick<MetricBucketStore, "tailOf">;
}

/** A line, and the counter of the report that brought it. */
export interface ReportedLine extends LoggedLine {
  counter: number;
}

export interface LinesQuery extends LineFilter {
  limit: number;
  cursor: string;
}

/** Characters of the lines of one page. */
const maxPageSize = 1_048_576;

/**
 * A page of a job's lines, in the order of the reports that brought them.
 * @throws JobNotFoundError, InvalidCursorError
 */
export async function readLogLines(
  { directory, logBatches, metricBuckets }: ReadLogLinesDependencies,
  organisationId: string,
  address: JobAddress,
  { limit, cursor, ...filter }: LinesQuery,
): Promise<Page<ReportedLine>> {
  const start = startOf(cursor);
  const { reference } = await directory.get(organisationId, address);
  const range = { from: start.counter, upTo: await durableCounter(metricBuckets, reference) };
  const items: ReportedLine[] = [];
  let size = 0;
  for await (const { counter, lines } of logBatches.each(reference, range, filter)) {
    for (const [index, line] of lines.entries()) {
      if ((counter === start.counter && index < start.index) || !isWanted(line, filter)) continue;
      size += line.message.length + line.source.length;
      const isFull = items.length === limit || (items.length > 0 && size > maxPageSize);
      if (isFull) return { items, nextCursor: encodeCursor([counter, index]) };
      items.push({ ...line, counter });
    }
  }
  return { items, nextCursor: "" };
}

/** Lines are stored before their report, which may still be refused: only those up to a durable one count. */
export async function durableCounter(
  buckets: Pick<MetricBucketStore, "tailOf">,
  { organisationId, runId, jobName }: JobReference,
): Promise<number> {
  return (await buckets.tailOf(organisationId, runId, jobName))?.counter ?? 0;
}

/** The lines of a batch that match. */
export function wantedOf({ counter, lines }: LogBatch, filter: LineFilter): ReportedLine[] {
  return lines.filter((line) => isWanted(line, filter)).map((line) => ({ ...line, counter }));
}

function isWanted({ source, at }: LoggedLine, { sources, since, until }: LineFilter): boolean {
  const isInTime = (!since || at >= since) && (!until || at < until);
  return isInTime && (sources.length === 0 || sources.includes(source));
}

/** The first line of the page. */
function startOf(cursor: string): { counter: number; index: number } {
  if (cursor === "") return { counter: 0, index: 0 };
  const [counter, index] = decodeCursor(cursor, ["number", "number"]);
  const isPlace = [counter, index].every((part) => Number.isInteger(part) && part >= 0 && part < 2 ** 32);
  if (!isPlace) throw new InvalidCursorError();
  return { counter, index };
}
