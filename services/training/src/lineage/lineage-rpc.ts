import { LineageKind } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import { RunLineageService } from "@aiplatform/contract/aiplatform/training/v1/lineage";
import { matchesMessage, searchOf } from "@aiplatform/service-kit/lineage";
import type { ConnectRouter } from "@connectrpc/connect";
import { findRuns, type RunLineageDependencies } from "./find-runs.ts";

const none = { things: [], total: 0 };

export function lineageRoutes(router: ConnectRouter, dependencies: RunLineageDependencies): void {
  router.service(RunLineageService, {
    async findLineageOfRuns({ query }) {
      const matches = query?.kind === LineageKind.RUN ? await findRuns(dependencies, searchOf(query)) : none;
      return { matches: matchesMessage(matches) };
    },
  });
}
