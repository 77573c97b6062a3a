import type { ReportRequest } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { assertNone, type FieldViolation, InvalidFieldsError } from "@aiplatform/service-host";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { JobReference } from "../job-log/job-entry.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { activeSegmentIndex, assertAttached, type JobSnapshot } from "../job-log/job-snapshot.ts";
import type { JobNameStore } from "../job-names/job-name-store.ts";
import { newMediumOf } from "../media/media-message.ts";
import { mediaViolations } from "../media/media-violations.ts";
import {
  type AdmitMediaDependencies,
  admitMedia,
  type RecordMediaDependencies,
  recordMedia,
} from "../media/record-media.ts";
import type { JobDirectory } from "../runs/job-directory.ts";
import { admitMetrics } from "./admit-metrics.ts";
import type { LogBatch, LogBatchStore } from "./log-batch-store.ts";
import { problemOf, type ReportedColumn, sensibleMs } from "./report.ts";
import type { NewReport } from "./report-intake.ts";
import { encodeReport, reportOf } from "./report-message.ts";

export interface AcceptReportDependencies extends AdmitMediaDependencies, RecordMediaDependencies {
  directory: Pick<JobDirectory, "get">;
  logs: Pick<JobLogs, "state" | "currentState">;
  names: Pick<JobNameStore, "known" | "add">;
  /** Told of a run before a report of it is stored. */
  marks: { ensure(organisationId: string, runId: string): Promise<void> };
  logBatches: Pick<LogBatchStore, "insert">;
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
  dependencies: AcceptReportDependencies,
  organisationId: string,
  request: ReportRequest,
  pipelineId?: string,
): Promise<NewReport & { counter: number }> {
  const { runId, jobName, counter, segmentIndex: segment } = request;
  const { directory, logs, names, marks, logBatches, clock } = dependencies;
  assertNone([...columnViolations(request.columns), ...mediaViolations(request.media)]);
  const media = request.media.map(newMediumOf);
  const { reference } = await directory.get(organisationId, { pipelineId, runId, jobName });
  const job = await stateFor(logs, reference, request);
  await admitMetrics(names, reference, request.columns);
  await admitMedia(dependencies, reference, media);
  if (request.columns.length > 0) await marks.ensure(organisationId, runId);
  const archived = segment < activeSegmentIndex(job);
  // Before the batch: a durable report has its lines and media.
  if (request.logs.length > 0) await logBatches.insert(reference, linesOf(request, clock()), clock());
  await recordMedia(dependencies, reference, media, { segment, archived });
  // The run's live metrics show its newest line, and no media.
  const bytes = encodeReport({ ...request, logs: request.logs.slice(-1), media: [] });
  return { organisationId, runId, jobName, counter, segment, archived, bytes, report: reportOf(request) };
}

/** What is wrong with the columns of a batch. */
export function columnViolations(columns: readonly ReportedColumn[]): FieldViolation[] {
  const problem = problemOf(columns);
  return problem ? [{ ...problem, reason: "COLUMNS_INVALID" }] : [];
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
