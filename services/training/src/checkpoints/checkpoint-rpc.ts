import { callerOf } from "@aiplatform/caller-identity";
import { CheckpointService } from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import { CheckpointVerification } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { waitWithin } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import { addressOf } from "../runs/job-directory.ts";
import { checkpointMessage } from "../trainers/trainer-message.ts";
import { type ListCheckpointsDependencies, listCheckpoints } from "./list-checkpoints.ts";
import { type PruneCheckpointsDependencies, pruneCheckpoints } from "./prune-checkpoints.ts";
import { pruneMessage } from "./prune-message.ts";
import { type VerifyCheckpointDependencies, verifyCheckpoint } from "./verify-checkpoint.ts";

export type CheckpointDependencies = ListCheckpointsDependencies &
  PruneCheckpointsDependencies &
  VerifyCheckpointDependencies;

/** Time after which a verification that goes on is answered as running, ms. */
const verificationWaitMs = 20_000;

export function checkpointRoutes(router: ConnectRouter, dependencies: CheckpointDependencies): void {
  router.service(CheckpointService, {
    async listCheckpoints({ limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const page = { ...request, limit };
      const { items, nextCursor } = await listCheckpoints(dependencies, organisationId, addressOf(request), page);
      return { checkpoints: items.map(checkpointMessage), nextCursor };
    },
    async pruneCheckpoints(request, context) {
      const { organisationId } = callerOf(context);
      return pruneMessage(await pruneCheckpoints(dependencies, organisationId, addressOf(request), request));
    },
    async verifyCheckpoint({ checkpointId, ...job }, context) {
      const waitMs = waitWithin(context, verificationWaitMs);
      const wanted = { caller: callerOf(context), address: addressOf(job), checkpointId, waitMs };
      const { checkpoint, isRunning } = await verifyCheckpoint(dependencies, wanted);
      const message = checkpointMessage(checkpoint);
      return { checkpoint: isRunning ? { ...message, verification: CheckpointVerification.RUNNING } : message };
    },
  });
}
