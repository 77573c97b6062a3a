import { callerOf } from "@aiplatform/caller-identity";
import { LineageService } from "@aiplatform/contract/aiplatform/deployments/v1/lineage";
import { kindsByMessage } from "@aiplatform/service-kit/lineage";
import type { ConnectRouter } from "@connectrpc/connect";
import { findUses } from "./find-uses.ts";
import { getLineage } from "./get-lineage.ts";
import { type HopDependencies, hopsOf } from "./hops.ts";
import { directions, lineageMessage, usesMessage } from "./lineage-message.ts";

const defaults = { depth: 10, limit: 200 };

export function lineageRoutes(router: ConnectRouter, dependencies: HopDependencies): void {
  const hops = hopsOf(dependencies);
  router.service(LineageService, {
    async getLineage({ kind, id, direction, depth = defaults.depth, limit = defaults.limit }, context) {
      const start = { kind: kindsByMessage[kind], id: id.toLowerCase() };
      const question = { start, directions: directions[direction], depth, limit };
      return lineageMessage(await getLineage(hops, callerOf(context), question));
    },
    async findUses({ organisationId, of, pipelineId }) {
      const used = of ? { of: { kind: kindsByMessage[of.kind], id: of.id } } : { pipelineId };
      return { uses: usesMessage(await findUses(dependencies, organisationId, used)) };
    },
  });
}
