import { LineageKind } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import { RunLineageService } from "@aiplatform/contract/aiplatform/training/v1/lineage";
import {
  type LineageMatches,
  type LineageSearch,
  matchesMessage,
  searchOf,
  type Thing,
} from "@aiplatform/service-kit/lineage";
import type { ConnectRouter } from "@connectrpc/connect";

const none = { things: [], total: 0 };

export function lineageRoutes(
  router: ConnectRouter,
  { runs }: { runs: { lineage(search: LineageSearch): Promise<LineageMatches<Thing>> } },
): void {
  router.service(RunLineageService, {
    async findLineageOfRuns({ query }) {
      const matches = query?.kind === LineageKind.RUN ? await runs.lineage(searchOf(query)) : none;
      return { matches: matchesMessage(matches) };
    },
  });
}
