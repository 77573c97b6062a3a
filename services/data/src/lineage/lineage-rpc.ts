import { DatasetLineageService } from "@aiplatform/contract/aiplatform/data/v1/dataset_lineage";
import { LineageKind } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import {
  type LineageMatches,
  type LineageSearch,
  matchesMessage,
  searchOf,
  type Thing,
} from "@aiplatform/service-kit/lineage";
import type { ConnectRouter } from "@connectrpc/connect";

/** Things of a kind that the service keeps. */
interface Kept {
  lineage(search: LineageSearch): Promise<LineageMatches<Thing>>;
}

const none = { things: [], total: 0 };

export function lineageRoutes(
  router: ConnectRouter,
  { versions, embeddings }: { versions: Kept; embeddings: Kept },
): void {
  const kept = new Map([
    [LineageKind.DATASET_VERSION, versions],
    [LineageKind.DATASET_EMBEDDING, embeddings],
  ]);
  router.service(DatasetLineageService, {
    async findLineageOfDatasets({ query }) {
      const matches = query && (await kept.get(query.kind)?.lineage(searchOf(query)));
      return { matches: matchesMessage(matches ?? none) };
    },
  });
}
