import { callerOf } from "@aiplatform/caller-identity";
import { CheckpointService } from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import type { ConnectRouter } from "@connectrpc/connect";
import { addressOf } from "../runs/job-directory.ts";
import { checkpointMessage } from "../trainers/trainer-message.ts";
import { type ListCheckpointsDependencies, listCheckpoints } from "./list-checkpoints.ts";
import { type PruneCheckpointsDependencies, pruneCheckpoints } from "./prune-checkpoints.ts";
import { pruneMessage } from "./prune-message.ts";

export type CheckpointDependencies = ListCheckpointsDependencies & PruneCheckpointsDependencies;

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
  });
}
