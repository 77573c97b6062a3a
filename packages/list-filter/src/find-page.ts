import { type ClientSession, type Page, readBounded } from "@aiplatform/document-store";
import { defaultPageLimit, type ListPageRequest, type ListQuery } from "./list-query.ts";
import type { MongoFilter } from "./mongo-filter.ts";

/** A collection that reads for one organisation: a `TenantCollection`. */
export interface PagedCollection<T> {
  each(organisationId: string, filter: MongoFilter, options: PageOptions): AsyncIterable<T>;
}

interface PageOptions {
  sort: Readonly<Record<string, 1 | -1>>;
  limit: number;
  without?: readonly string[];
  session?: ClientSession | undefined;
}

/** Where a page is read from. */
export interface PageSource<T> {
  list: ListQuery;
  request: ListPageRequest;
  /** What the list is of, such as one pipeline. Default: everything of the organisation. */
  within?: MongoFilter;
  /** What a document adds to the answer, in characters. Default: nothing that could be much. */
  sizeOf?: (document: T) => number;
  /** Top-level members that are not read. */
  without?: readonly string[];
  /** Default: none. */
  session?: ClientSession | undefined;
}

/** Documents of one page; a page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
export async function findPage<T extends object>(
  collection: PagedCollection<T>,
  organisationId: string,
  { list, request, within, sizeOf = () => 0, without = [], session }: PageSource<T>,
): Promise<Page<T>> {
  const { limit = defaultPageLimit } = request;
  const selection = list.read(request);
  const filter = selection.after(request.cursor, within);
  const options = { sort: selection.sort, limit: limit + 1, session, ...(without.length > 0 ? { without } : {}) };
  const found = collection.each(organisationId, filter, options);
  const { items, isLast } = await readBounded(found, { limit, sizeOf });
  const last = items.at(-1);
  return { items, nextCursor: last && !isLast ? selection.cursorAfter(last) : "" };
}
