import { callerOf } from "@aiplatform/caller-identity";
import {
  type ReportRequest,
  ReportRequestSchema,
  ReportResponseSchema,
  type SendReportRequest,
  type TrainerService,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type AcceptReportDependencies, acceptReport } from "./accept-report.ts";
import type { ReportIntake } from "./report-intake.ts";
import { answerInOrder, inSequence } from "./report-stream.ts";
import { type SendReportDependencies, sendReport } from "./send-report.ts";

/** Told of report streams. */
export interface ReportObserver {
  /** Call `reported` for each report and `closed` at the end. */
  streamOpened(): { reported(): void; closed(): void };
}

interface ReportDependencies extends AcceptReportDependencies {
  intake: Pick<ReportIntake, "add">;
  steering: ReportObserver;
}

/** The trainer's report stream. */
export function reportHandler({
  intake,
  steering,
  ...dependencies
}: ReportDependencies): ServiceImpl<typeof TrainerService>["report"] {
  return async function* report(requests, context) {
    const { organisationId } = callerOf(context);
    const accept = inSequence(
      (request: ReportRequest) => acceptReport(dependencies, organisationId, request),
      (report, origin) => intake.add(report, origin),
    );
    const reporting = steering.streamOpened();
    try {
      for await (const { counter, sequence } of answerInOrder(requests, accept)) {
        reporting.reported();
        yield create(ReportResponseSchema, { durableCounter: counter, sequence });
      }
    } finally {
      reporting.closed();
    }
  };
}

/** Reports that come one by one. */
export function sendReportHandler(
  dependencies: SendReportDependencies,
): ServiceImpl<typeof TrainerService>["sendReport"] {
  return async (request, context) => {
    const { organisationId } = callerOf(context);
    const { counter, sequence } = await sendReport(dependencies, organisationId, batchOf(request), request.pipelineId);
    return { durableCounter: counter, sequence };
  };
}

/** The same fields by the same numbers, but for the pipeline. */
function batchOf({ $typeName: _, pipelineId: __, ...batch }: SendReportRequest): ReportRequest {
  return create(ReportRequestSchema, batch);
}
