/** How much of a list goes into one page. */
export interface PageBounds<T> {
  /** Items at most. */
  limit: number;
  /** What an item adds to the answer, in bytes or characters. */
  sizeOf: (item: T) => number;
}

/** The beginning of a list, and whether there is more of it. */
export interface BoundedPage<T> {
  items: T[];
  isLast: boolean;
}

/** What the items of one page may add up to: answers of the mesh end at 16 MiB. */
export const maxPageSize: number = 2 * 1024 * 1024;

/** Reads until a page is full: of items, or of what they hold. One item is always in it, however large. */
export async function readBounded<T>(
  list: AsyncIterable<T>,
  { limit, sizeOf }: PageBounds<T>,
): Promise<BoundedPage<T>> {
  const items: T[] = [];
  let size = 0;
  for await (const item of list) {
    size += sizeOf(item);
    if (items.length === limit || (items.length > 0 && size > maxPageSize)) return { items, isLast: false };
    items.push(item);
  }
  return { items, isLast: true };
}
