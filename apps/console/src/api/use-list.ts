import { type InfiniteData, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { Page } from "./page.ts";

interface ListOptions<T> {
  key: readonly unknown[];
  /** Reads the page that begins at a cursor; undefined: the first. */
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
  /** Default true. */
  isEnabled?: boolean;
  /** How often it is read again, ms; false: not at all, as it is now. Default: when the page is opened again. */
  lookMs?: number | ((items: readonly T[]) => number | false);
  /** Whether what was found before stays until another filter has found something. Default false. */
  keepsPrevious?: boolean;
}

/** A list of the API as far as it was read. */
export interface List<T> {
  /** Undefined before the first page is there. */
  data: T[] | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Reads a list page after page, along its `Link` headers. */
export function useList<T>({ key, read, isEnabled = true, lookMs, keepsPrevious }: ListOptions<T>): List<T> {
  const list = useInfiniteQuery<Page<T>, Error, InfiniteData<Page<T>>, readonly unknown[], string>({
    queryKey: key,
    enabled: isEnabled,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    initialPageParam: "",
    refetchInterval: ({ state: { data } }) =>
      typeof lookMs === "function" ? lookMs(itemsOf(data)) : (lookMs ?? false),
    queryFn: ({ pageParam, signal }) => read(pageParam || undefined, signal),
    getNextPageParam: ({ next }) => next,
  });
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  return { data: data && itemsOf(data), error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage };
}

function itemsOf<T>(data: { pages: Page<T>[] } | undefined): T[] {
  return data?.pages.flatMap((page) => page.items) ?? [];
}

/** What a page of a list is asked for: its size, its beginning, and the filter and the order of the address. */
export function listQuery(limit: number, cursor: string | undefined, search: { filter?: string; order?: string } = {}) {
  const { filter, order } = search;
  return {
    limit,
    ...(cursor !== undefined && { cursor }),
    ...(filter !== undefined && { filter }),
    ...(order !== undefined && { order_by: order }),
  };
}
