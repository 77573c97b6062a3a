import { createHash } from "node:crypto";
import type { ReportedMedia } from "@aiplatform/contract/aiplatform/training/v1/media";
import { ReportRequestSchema, type SendMetricsRequest } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { assertNone, type FieldViolation, InvalidFieldsError } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { activeSegmentIndex } from "../job-log/job-snapshot.ts";
import { mediaViolations } from "../media/media-violations.ts";
import { type AcceptReportDependencies, acceptReport, columnViolations } from "../metric-reports/accept-report.ts";
import type { Durable } from "../metric-reports/report.ts";
import type { ReportIntake } from "../metric-reports/report-intake.ts";
import { encodeReport } from "../metric-reports/report-message.ts";
import { type HoldJobDependencies, holdJob } from "./hold-job.ts";
import { columnsOf, type PointColumn } from "./metric-points.ts";

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

/** Points and media of a job. */
export interface NewPoints {
  address: { pipelineId?: string | undefined; runId: string; jobName: string };
  columns: PointColumn[];
  /** The field that the points came in, which errors name. */
  field: string;
  /** Default: none. */
  media?: readonly ReportedMedia[];
}

/**
 * Stores points and media of a job that no other process holds. Resolves when they are durable, or were before.
 * @throws InvalidFieldsError
 * @throws JobNotFoundError, RunArchivedError, PipelineArchivedError
 * @throws AttachmentLostError when another process is the job's trainer
 */
export async function storePoints(
  { intake, ...dependencies }: SendMetricsDependencies,
  organisationId: string,
  { address, columns, field, media = [] }: NewPoints,
): Promise<StoredPoints> {
  // Before the job is held: what is refused has no effect.
  assertNone([...sentIn(field, columnViolations(columns)), ...mediaViolations(media)]);
  const { runId, jobName, pipelineId } = address;
  const { attachmentId, job } = await holdJob(dependencies, organisationId, address);
  const segmentIndex = activeSegmentIndex(job);
  const batch = create(ReportRequestSchema, { runId, jobName, attachmentId, segmentIndex, columns, media: [...media] });
  const report = await acceptReport(dependencies, organisationId, batch, pipelineId).catch((error: unknown) => {
    if (!(error instanceof InvalidFieldsError)) throw error;
    throw new InvalidFieldsError(sentIn(field, error.violations));
  });
  const digest = createHash("sha256").update(encodeReport(batch)).digest("base64url");
  const durable = await intake.add({ ...report, counter: "next", digest }, { broken: false });
  return { ...durable, attachmentId, segmentIndex };
}

/** As {@link storePoints}, of a request. @throws what it throws */
export function sendMetrics(
  dependencies: SendMetricsDependencies,
  organisationId: string,
  request: SendMetricsRequest,
): Promise<StoredPoints> {
  const { pipelineId, runId, jobName, points, media } = request;
  const field = points.length > 0 ? "points" : "metrics";
  const address = { pipelineId, runId, jobName };
  return storePoints(dependencies, organisationId, { address, columns: columnsOf(request), field, media });
}

/** What is wrong with a column is said of the field that the points came in. */
function sentIn(field: string, violations: readonly FieldViolation[]): FieldViolation[] {
  return violations.map((each) => (each.field.startsWith("columns") ? { ...each, field } : each));
}
