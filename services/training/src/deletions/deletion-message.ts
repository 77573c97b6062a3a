import { type DeletionResult, DeletionResultSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { create } from "@bufbuild/protobuf";
import type { DeletionOutcome } from "./deletion.ts";

export function deletionMessage({ id, hardDeleted, message, runs, activeJobs }: DeletionOutcome): DeletionResult {
  const jobs = activeJobs.map(({ runId, jobName }) => ({ runId, jobName }));
  return create(DeletionResultSchema, { id, hardDeleted, impactWarning: { message, runs, activeJobs: jobs } });
}
