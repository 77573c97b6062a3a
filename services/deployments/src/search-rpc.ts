import { DeploymentsSearchService } from "@aiplatform/contract/aiplatform/deployments/v1/search";
import { answerSearch, type SearchedCollection, type ServiceSearch } from "@aiplatform/search";
import type { ConnectRouter } from "@connectrpc/connect";
import { deploymentSearch } from "./deployments/deployment-document.ts";
import { modelSearch } from "./models/model-store.ts";

export const deploymentsSearches: readonly SearchedCollection[] = [deploymentSearch, modelSearch];

export function searchRoutes(router: ConnectRouter, search: Pick<ServiceSearch, "find">): void {
  router.service(DeploymentsSearchService, { findMatches: answerSearch(search) });
}
