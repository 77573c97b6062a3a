import { createHash } from "node:crypto";
import {
  type ReportRequest,
  ReportRequestSchema,
  type SendMetricsRequest,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { activeSegmentIndex } from "../job-log/job-snapshot.ts";
import { type AcceptReportDependencies, acceptReport } from "../metric-reports/accept-report.ts";
import { type Durable, problemOf } from "../metric-reports/report.ts";
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
  const problem = problemOf(columns);
  // Before the job is held: what is refused has no effect.
  if (problem) throw new InvalidFieldsError([{ ...problem, field: fieldOf(request), reason: "COLUMNS_INVALID" }]);
  const { runId, jobName, pipelineId } = request;
  const { attachmentId, job } = await holdJob(dependencies, organisationId, { pipelineId, runId, jobName });
  const segmentIndex = activeSegmentIndex(job);
  const batch = create(ReportRequestSchema, { runId, jobName, attachmentId, segmentIndex, columns });
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
    throw new InvalidFieldsError(error.violations.map((violation) => ({ ...violation, field: fieldOf(request) })));
  }
}

function fieldOf({ points }: SendMetricsRequest): string {
  return points.length > 0 ? "points" : "metrics";
}
