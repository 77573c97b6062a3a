import type { Caller } from "@aiplatform/caller-identity";
import {
  type SearchKind,
  type SearchQuery,
  SearchQuerySchema,
  type SearchResult,
} from "@aiplatform/contract/aiplatform/search/v1/search";
import {
  comparePlaces,
  cursorOf,
  kindOfThing,
  noTime,
  placeOf,
  readableKinds,
  type SearchedService,
  type ServiceSearch,
  searchWords,
} from "@aiplatform/search";
import { assertNone } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { SearchElsewhere } from "./search-elsewhere.ts";

export interface SearchDependencies {
  ownSearch: Pick<ServiceSearch, "find">;
  searchElsewhere: Pick<SearchElsewhere, "find">;
}

/** What a caller looks for. */
export interface WantedThings {
  q: string;
  kinds: readonly SearchKind[];
  includeArchived: boolean;
  limit: number;
  cursor: string;
}

/** A page of what was found. */
export interface FoundThings {
  results: SearchResult[];
  /** Kinds of services that do not answer. */
  missingKinds: SearchKind[];
  nextCursor: string;
}

/** Words of a query at most. */
const maxQueryWords = 8;

/**
 * Finds what the caller may read, in all services.
 * @throws InvalidFieldsError, InvalidCursorError, and what a service refuses
 */
export async function search(
  { ownSearch, searchElsewhere }: SearchDependencies,
  caller: Caller,
  { q, limit, ...wanted }: WantedThings,
): Promise<FoundThings> {
  placeOf(wanted.cursor);
  const kinds = readableKinds(caller.permissions, wanted.kinds);
  // One more than the page holds tells whether another page follows.
  const query = create(SearchQuerySchema, { ...wanted, kinds, words: wordsOf(q), limit: limit + 1 });
  const byService = Map.groupBy(kinds, (kind) => kindOfThing(kind).service);
  const ask = (service: SearchedService) =>
    service === "content" ? ownSearch.find(caller, query) : searchElsewhere.find(caller, service, query);
  const answers = await Promise.all(
    [...byService].map(async ([service, ofService]) => ({ ofService, found: await ask(service) })),
  );
  const found = answers
    .flatMap(({ found = [] }) => found)
    .sort((one, other) => comparePlaces(place(one), place(other)));
  const results = found.slice(0, limit);
  const last = results.at(-1);
  return {
    results,
    missingKinds: answers.flatMap(({ ofService, found }) => (found ? [] : ofService)),
    nextCursor: last && found.length > limit ? cursorOf(place(last)) : "",
  };
}

function place({ kind, id, createdAt }: SearchResult) {
  return { kind, id, createdAt: createdAt ? timestampDate(createdAt) : noTime };
}

/** @throws InvalidFieldsError when there is no word, or there are too many */
function wordsOf(q: string): SearchQuery["words"] {
  const words = searchWords([q]);
  const isWrong = words.length === 0 || words.length > maxQueryWords;
  const description = `Value error, q needs one to ${maxQueryWords} words of letters or digits`;
  assertNone(isWrong ? [{ field: "q", reason: "SEARCH_WORDS_INVALID", description }] : []);
  return words;
}
