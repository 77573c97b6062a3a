import { type DeletionResult, DeletionResultSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type Uses, usesMessage } from "@aiplatform/service-kit/lineage";
import { create } from "@bufbuild/protobuf";
import type { DeletionOutcome } from "./deletion.ts";

/** `uses`: what was made of what goes, as far as it is known. Names are for callers who may read them. */
export function deletionMessage(
  { id, hardDeleted, message, runs, activeJobs }: DeletionOutcome,
  uses: Uses | undefined,
  permissions: ReadonlySet<string>,
): DeletionResult {
  const jobs = activeJobs.map(({ runId, jobName }) => ({ runId, jobName }));
  const made = uses && { uses: usesMessage(uses, permissions) };
  return create(DeletionResultSchema, { id, hardDeleted, impactWarning: { message, runs, activeJobs: jobs, ...made } });
}
