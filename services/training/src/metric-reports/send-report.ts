import type { ReportRequest } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { type AcceptReportDependencies, acceptReport } from "./accept-report.ts";
import type { LogBatchStore } from "./log-batch-store.ts";
import type { MetricBucketStore } from "./metric-bucket-store.ts";
import type { Durable } from "./report.ts";
import type { ReportIntake } from "./report-intake.ts";

/** A report of a higher counter was stored first, so this one was not. */
export class ReportOutOfOrderError extends Error {
  override name = "ReportOutOfOrderError";
  constructor(counter: number, durable: number) {
    super(
      `the report with counter ${counter} came after the one with counter ${durable} and was not stored; send its points again with a ` +
        "counter above that, and one report after the other",
    );
  }
}

export interface SendReportDependencies extends AcceptReportDependencies {
  intake: Pick<ReportIntake, "add">;
  buckets: Pick<MetricBucketStore, "has">;
  logBatches: Pick<LogBatchStore, "insert" | "delete">;
}

/**
 * Stores one report that comes without a stream. Resolves when it is durable, or was before.
 * @throws InvalidFieldsError
 * @throws JobNotFoundError
 * @throws AttachmentLostError
 * @throws ReportOutOfOrderError
 */
export async function sendReport(
  { intake, buckets, ...dependencies }: SendReportDependencies,
  organisationId: string,
  request: ReportRequest,
  pipelineId: string,
): Promise<Durable> {
  const report = await acceptReport(dependencies, organisationId, request, pipelineId);
  const durable = await intake.add(report, { broken: false });
  // Without a stream there is no order: one that was passed on its way must not be taken for a repeat.
  const isPassed = durable.counter > report.counter && !(await buckets.has(report));
  if (isPassed) {
    await dependencies.logBatches.delete(report, report.counter);
    throw new ReportOutOfOrderError(report.counter, durable.counter);
  }
  return durable;
}
