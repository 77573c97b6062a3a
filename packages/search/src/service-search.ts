import { type Caller, callerOf } from "@aiplatform/caller-identity";
import {
  type SearchQuery as QueryMessage,
  type SearchKind,
  type SearchResult,
  SearchResultSchema,
} from "@aiplatform/contract/aiplatform/search/v1/search";
import type { DocumentStore } from "@aiplatform/document-store";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import { readableKinds } from "./search-kinds.ts";
import { comparePlaces, noTime, placeOf } from "./search-place.ts";
import { type SearchHit, SearchStore } from "./search-store.ts";
import type { SearchedCollection } from "./searched-collection.ts";

/** What a service finds among what it keeps. */
export class ServiceSearch {
  readonly #stores: readonly SearchStore[];

  constructor(store: DocumentStore, collections: readonly SearchedCollection[]) {
    this.#stores = collections.map((each) => new SearchStore(store, each));
  }

  /** Only what the caller may read, the newest first. @throws InvalidCursorError */
  async find(
    { organisationId, permissions }: Pick<Caller, "organisationId" | "permissions">,
    { words, kinds, limit, cursor, includeArchived: includesArchived }: Omit<QueryMessage, "$typeName" | "$unknown">,
  ): Promise<SearchResult[]> {
    const place = placeOf(cursor);
    const readable: ReadonlySet<SearchKind> = new Set(readableKinds(permissions, kinds));
    const stores = this.#stores.filter(({ kind }) => readable.has(kind));
    const query = { words, place, limit, includesArchived };
    const found = await Promise.all(stores.map((each) => each.find(organisationId, query)));
    return found.flat().sort(comparePlaces).slice(0, limit).map(resultOf);
  }
}

/** Answers what content asks a service to find on behalf of a caller. */
export function answerSearch(
  search: Pick<ServiceSearch, "find">,
): (request: { query?: QueryMessage | undefined }, context: HandlerContext) => Promise<{ results: SearchResult[] }> {
  return async ({ query }, context) => ({ results: query ? await search.find(callerOf(context), query) : [] });
}

function resultOf({ createdAt, ...hit }: SearchHit): SearchResult {
  return create(SearchResultSchema, {
    ...hit,
    ...(createdAt > noTime ? { createdAt: timestampFromDate(createdAt) } : {}),
  });
}
