import type { ReportRequest } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { JobReference } from "../job-log/job-entry.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { activeSegmentIndex, assertAttached, type JobSnapshot } from "../job-log/job-snapshot.ts";
import type { JobDirectory } from "../runs/job-directory.ts";
import { admitMetrics } from "./admit-metrics.ts";
import type { LogBatch, LogBatchStore } from "./log-batch-store.ts";
import type { MetricNameStore } from "./metric-name-store.ts";
import { problemOf, sensibleMs } from "./report.ts";
import type { NewReport } from "./report-intake.ts";
import { encodeReport, reportOf } from "./report-message.ts";

export interface AcceptReportDependencies {
  directory: Pick<JobDirectory, "get">;
  logs: Pick<JobLogs, "state" | "currentState">;
  names: Pick<MetricNameStore, "known" | "add">;
  /** Told of a run before a report of it is stored. */
  marks: { ensure(organisationId: string, runId: string): Promise<void> };
  logBatches: Pick<LogBatchStore, "insert">;
  clock: () => Date;
}

/**
 * A batch of the job's present trainer, as it is to be stored. Counters only have to rise: a gap is accepted, a counter
 * at or below the durable one is a repeat and answered as durable. A batch of a segment that is no longer active is
 * kept as archived. `pipelineId`: where the caller named it, the run has to be of that pipeline.
 * @throws InvalidFieldsError
 * @throws JobNotFoundError
 * @throws AttachmentLostError
 */
export async function acceptReport(
  { directory, logs, names, marks, logBatches, clock }: AcceptReportDependencies,
  organisationId: string,
  request: ReportRequest,
  pipelineId?: string,
): Promise<NewReport & { counter: number }> {
  const { runId, jobName, counter, segmentIndex: segment } = request;
  const problem = problemOf(request.columns);
  if (problem) throw new InvalidFieldsError([{ ...problem, reason: "COLUMNS_INVALID" }]);
  const { reference } = await directory.get(organisationId, { pipelineId, runId, jobName });
  const job = await stateFor(logs, reference, request);
  await admitMetrics(names, reference, request.columns);
  if (request.columns.length > 0) await marks.ensure(organisationId, runId);
  const archived = segment < activeSegmentIndex(job);
  // Before the batch: a durable report has its lines.
  if (request.logs.length > 0) await logBatches.insert(reference, linesOf(request, clock()), clock());
  // The run's live metrics show its newest line.
  const bytes = encodeReport({ ...request, logs: request.logs.slice(-1) });
  return { organisationId, runId, jobName, counter, segment, archived, bytes, report: reportOf(request) };
}

function linesOf({ counter, logs }: ReportRequest, acceptedAt: Date): LogBatch {
  const lines = logs.map(({ message, source, timestamp }) => {
    const ms = timestamp && sensibleMs(timestampMs(timestamp));
    return { message, source, at: ms === undefined ? acceptedAt : new Date(ms) };
  });
  return { counter, lines };
}

/** The job as known here, read again when the batch does not fit: another replica may have changed it. */
async function stateFor(
  logs: AcceptReportDependencies["logs"],
  reference: JobReference,
  request: ReportRequest,
): Promise<JobSnapshot> {
  const known = await logs.state(reference.organisationId, reference.runId, reference.jobName);
  if (fits(known, request)) return known;
  const job = await logs.currentState(reference);
  assertAttached(job, request.attachmentId);
  if (fits(job, request)) return job;
  const description = `is ${request.segmentIndex}, but the newest segment is ${activeSegmentIndex(job)}`;
  throw new InvalidFieldsError([{ field: "segment_index", reason: "SEGMENT_UNKNOWN", description }]);
}

function fits(job: JobSnapshot, { attachmentId, segmentIndex }: ReportRequest): boolean {
  return job.attachment?.id === attachmentId && segmentIndex <= activeSegmentIndex(job);
}
