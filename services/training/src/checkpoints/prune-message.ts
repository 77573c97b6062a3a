import {
  KeepReason as KeepReasonNumber,
  type PruneCheckpointsResponse,
  PruneCheckpointsResponseSchema,
} from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import { create } from "@bufbuild/protobuf";
import type { Pruning } from "./prune-checkpoints.ts";
import type { KeepReason } from "./prune-plan.ts";

/** Kept checkpoints that an answer tells of. */
const maxKept = 1_000;

const reasonNumbers: Readonly<Record<KeepReason, KeepReasonNumber>> = {
  newest: KeepReasonNumber.NEWEST,
  best: KeepReasonNumber.BEST,
  resume: KeepReasonNumber.RESUME,
  segment: KeepReasonNumber.SEGMENT,
  pending_command: KeepReasonNumber.PENDING_COMMAND,
  result: KeepReasonNumber.RESULT,
};

export function pruneMessage({ pruned, kept, remaining }: Pruning): PruneCheckpointsResponse {
  return create(PruneCheckpointsResponseSchema, {
    pruned: pruned.map(({ id, step, sizeBytes }) => ({ id, step, sizeBytes: BigInt(sizeBytes) })),
    prunedBytes: pruned.reduce((sum, { sizeBytes }) => sum + BigInt(sizeBytes), 0n),
    remainingCount: remaining,
    kept: kept.slice(0, maxKept).map(({ checkpoint: { id, step }, reasons }) => {
      return { id, step, reasons: reasons.map((reason) => reasonNumbers[reason]) };
    }),
    keptCount: kept.length,
  });
}
