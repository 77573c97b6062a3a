import type { Page } from "./page.ts";

interface ReadPagesOptions<T> {
  /** Reads the page that begins at a cursor; undefined: the first. */
  read: (cursor: string | undefined) => Promise<Page<T>>;
  maxPages: number;
  /** Whether what was read is all that is needed. Default: never. */
  isEnough?: (items: readonly T[]) => boolean;
}

/** The items of a list, read page after page to its end, to what is enough, or to `maxPages`. */
export async function readPages<T>({ read, maxPages, isEnough = () => false }: ReadPagesOptions<T>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const page = await read(cursor);
    items.push(...page.items);
    if (page.next === undefined || isEnough(items)) return items;
    cursor = page.next;
  }
  return items;
}
