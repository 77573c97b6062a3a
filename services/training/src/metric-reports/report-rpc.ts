import { callerOf } from "@aiplatform/caller-identity";
import {
  type ReportRequest,
  ReportResponseSchema,
  type TrainerService,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type AcceptReportDependencies, acceptReport } from "./accept-report.ts";
import type { ReportIntake } from "./report-intake.ts";
import { answerInOrder, inSequence } from "./report-stream.ts";

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
