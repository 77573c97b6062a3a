import { callerOf } from "@aiplatform/caller-identity";
import { ReportResponseSchema, type TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type AcceptDependencies, acceptReport } from "./accept-report.ts";
import { answerInOrder } from "./report-stream.ts";

/** The trainer's report stream. */
export function reportRpc(dependencies: AcceptDependencies): ServiceImpl<typeof TrainerService>["report"] {
  return async function* report(requests, context) {
    const { organisationId } = callerOf(context);
    const answers = answerInOrder(requests, (request) => acceptReport(dependencies, organisationId, request));
    for await (const { counter, sequence } of answers) {
      yield create(ReportResponseSchema, { durableCounter: counter, sequence });
    }
  };
}
