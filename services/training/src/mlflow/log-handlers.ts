import { callerOf } from "@aiplatform/caller-identity";
import type { MlflowService } from "@aiplatform/contract/aiplatform/training/v1/mlflow";
import type { ServiceImpl } from "@connectrpc/connect";
import { updateRun } from "../runs/update-run.ts";
import { type LogBatchDependencies, logBatch } from "./log-batch.ts";
import { changeByTags, changeWithoutTag } from "./run-tags.ts";
import { assertMayWrite } from "./write-permission.ts";

type LogMethods = "logMlflowMetric" | "logMlflowParameter" | "setMlflowTag" | "deleteMlflowTag" | "logMlflowBatch";

/** The part of the service that takes what scripts log. */
export function logHandlers(dependencies: LogBatchDependencies): Pick<ServiceImpl<typeof MlflowService>, LogMethods> {
  return {
    async logMlflowMetric({ runId, ...metric }, context) {
      const batch = { runId, metrics: [metric], params: [], tags: [] };
      await logBatch(dependencies, callerOf(context).organisationId, batch);
      return {};
    },
    async logMlflowParameter({ runId, key, value }, context) {
      const batch = { runId, metrics: [], params: [{ key, value }], tags: [] };
      await logBatch(dependencies, callerOf(context).organisationId, batch);
      return {};
    },
    async setMlflowTag({ runId, ...tag }, context) {
      await updateRun(dependencies, callerOf(context).organisationId, { runId }, changeByTags([tag], "value"));
      return {};
    },
    async deleteMlflowTag({ runId, key }, context) {
      await updateRun(dependencies, callerOf(context).organisationId, { runId }, changeWithoutTag(key));
      return {};
    },
    async logMlflowBatch(batch, context) {
      const caller = callerOf(context);
      if (batch.params.length + batch.tags.length > 0) assertMayWrite(caller);
      await logBatch(dependencies, caller.organisationId, batch);
      return {};
    },
  };
}
