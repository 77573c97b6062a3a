import { TrainingSearchService } from "@aiplatform/contract/aiplatform/training/v1/search";
import { answerSearch, type SearchedCollection, type ServiceSearch } from "@aiplatform/search";
import type { ConnectRouter } from "@connectrpc/connect";
import { pipelineSearch } from "./pipelines/pipeline-store.ts";
import { runSearch } from "./runs/run-document.ts";

export const trainingSearches: readonly SearchedCollection[] = [pipelineSearch, runSearch];

export function searchRoutes(router: ConnectRouter, search: Pick<ServiceSearch, "find">): void {
  router.service(TrainingSearchService, { findMatches: answerSearch(search) });
}
