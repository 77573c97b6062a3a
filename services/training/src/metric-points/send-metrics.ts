import { createHash } from "node:crypto";
import {
  type ReportRequest,
  ReportRequestSchema,
  type SendMetricsRequest,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { assertNone, type FieldViolation, InvalidFieldsError } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { activeSegmentIndex } from "../job-log/job-snapshot.ts";
import { mediaViolations } from "../media/media-violations.ts";
import { type AcceptReportDependencies, acceptReport, columnViolations } from "../metric-reports/accept-report.ts";
import type { Durable } from "../metric-reports/report.ts";
import type { ReportIntake } from "../metric-reports/report-intake.ts";
import { encodeReport } from "../metric-reports/report-message.ts";
import { type HoldJobDependencies, holdJob } from "./hold-job.ts";
import { columnsOf } from "./metric-points.ts";

export interface SendMetricsDependencies extends AcceptReportDependencies, HoldJobDependencies {
  intake: Pick<ReportIntake, "add">;
  directory: HoldJobDependencies["directory"];
  logs: HoldJobDependencies["logs"];
}

/** Points that are durable, and the attachment and segment that they were stored under. */
export interface StoredPoints extends Durable {
  attachmentId: string;
  segmentIndex: number;
}

/**
 * Stores points of a job that no other process holds. Resolves when they are durable, or were before.
 * @throws InvalidFieldsError
 * @throws JobNotFoundError, RunArchivedError, PipelineArchivedError
 * @throws AttachmentLostError when another process is the job's trainer
 */
export async function sendMetrics(
  { intake, ...dependencies }: SendMetricsDependencies,
  organisationId: string,
  request: SendMetricsRequest,
): Promise<StoredPoints> {
  const columns = columnsOf(request);
  const { runId, jobName, pipelineId, media } = request;
  // Before the job is held: what is refused has no effect.
  assertNone([...asSent(request, columnViolations(columns)), ...mediaViolations(media)]);
  const { attachmentId, job } = await holdJob(dependencies, organisationId, { pipelineId, runId, jobName });
  const segmentIndex = activeSegmentIndex(job);
  const batch = create(ReportRequestSchema, { runId, jobName, attachmentId, segmentIndex, columns, media });
  const report = await accepted(dependencies, organisationId, request, batch);
  const digest = createHash("sha256").update(encodeReport(batch)).digest("base64url");
  const durable = await intake.add({ ...report, counter: "next", digest }, { broken: false });
  return { ...durable, attachmentId, segmentIndex };
}

/** What is wrong with a column is said of the field that the points came in. */
async function accepted(
  dependencies: AcceptReportDependencies,
  organisationId: string,
  request: SendMetricsRequest,
  batch: ReportRequest,
): ReturnType<typeof acceptReport> {
  try {
    return await acceptReport(dependencies, organisationId, batch, request.pipelineId);
  } catch (error) {
    if (!(error instanceof InvalidFieldsError)) throw error;
    throw new InvalidFieldsError(asSent(request, error.violations));
  }
}

function asSent({ points }: SendMetricsRequest, violations: readonly FieldViolation[]): FieldViolation[] {
  const field = points.length > 0 ? "points" : "metrics";
  return violations.map((each) => (each.field.startsWith("columns") ? { ...each, field } : each));
}
