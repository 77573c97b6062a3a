import { callerOf } from "@aiplatform/caller-identity";
import {
  type ReportRequest,
  ReportResponseSchema,
  type TrainerService,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { SteeringObservation } from "../steering-observation.ts";
import { type AcceptDependencies, acceptReport } from "./accept-report.ts";
import type { ReportIntake } from "./report-intake.ts";
import { answerInOrder, oneAfterAnother } from "./report-stream.ts";

interface ReportDependencies extends AcceptDependencies {
  intake: Pick<ReportIntake, "add">;
  steering: Pick<SteeringObservation, "reporting">;
}

/** The trainer's report stream. */
export function reportRpc({
  intake,
  steering,
  ...dependencies
}: ReportDependencies): ServiceImpl<typeof TrainerService>["report"] {
  return async function* report(requests, context) {
    const { organisationId } = callerOf(context);
    const accept = oneAfterAnother(
      (request: ReportRequest) => acceptReport(dependencies, organisationId, request),
      (report, origin) => intake.add(report, origin),
    );
    const reporting = steering.reporting();
    try {
      for await (const { counter, sequence } of answerInOrder(requests, accept)) {
        reporting.heard();
        yield create(ReportResponseSchema, { durableCounter: counter, sequence });
      }
    } finally {
      reporting.ended();
    }
  };
}
