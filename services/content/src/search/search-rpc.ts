import { callerOf } from "@aiplatform/caller-identity";
import { SearchService } from "@aiplatform/contract/aiplatform/content/v1/search";
import type { SearchedCollection } from "@aiplatform/search";
import type { ConnectRouter } from "@connectrpc/connect";
import { automationSearch } from "../automations/automation-store.ts";
import { entrySearch } from "../data-dictionaries/entry-store.ts";
import { datasetSearch } from "../datasets/dataset-store.ts";
import { emailDraftSearch } from "../email-drafts/email-draft-store.ts";
import { featureSearch } from "../feature-memory/feature-store.ts";
import { type SearchDependencies, search } from "./search.ts";

export const contentSearches: readonly SearchedCollection[] = [
  automationSearch,
  datasetSearch,
  entrySearch,
  featureSearch,
  emailDraftSearch,
];

export function searchRoutes(router: ConnectRouter, dependencies: SearchDependencies): void {
  router.service(SearchService, {
    search: ({ q = "", limit = 20, ...request }, context) =>
      search(dependencies, callerOf(context), { ...request, q, limit }),
  });
}
