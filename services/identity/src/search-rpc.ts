import { IdentitySearchService } from "@aiplatform/contract/aiplatform/identity/v1/search";
import { answerSearch, type SearchedCollection, type ServiceSearch } from "@aiplatform/search";
import type { ConnectRouter } from "@connectrpc/connect";
import { memberSearch } from "./members/member-store.ts";
import { workspaceSearch } from "./workspaces/workspace-store.ts";

export const identitySearches: readonly SearchedCollection[] = [memberSearch, workspaceSearch];

export function searchRoutes(router: ConnectRouter, search: Pick<ServiceSearch, "find">): void {
  router.service(IdentitySearchService, { findMatches: answerSearch(search) });
}
