import { type CursorPart, encodeCursor, type Page, readBounded } from "@aiplatform/document-store";

/** How the documents of a page become items. */
export interface PageReading<D, T> {
  limit: number;
  /** What a document adds to the answer, in characters. */
  sizeOf: (document: D) => number;
  /** The document's place in the list. */
  keyOf: (document: D) => CursorPart[];
  toItem: (document: D) => T;
}

/** Reads one page of a list; a page of large documents holds fewer than asked for. */
export async function readPage<D, T>(
  found: AsyncIterable<D>,
  { limit, sizeOf, keyOf, toItem }: PageReading<D, T>,
): Promise<Page<T>> {
  const { items, isLast } = await readBounded(found, { limit, sizeOf });
  const last = items.at(-1);
  return { items: items.map(toItem), nextCursor: last && !isLast ? encodeCursor(keyOf(last)) : "" };
}

/** The key of a list in the order of creation, or against it. */
export function creationKey({ created_at: createdAt, _id: id }: { created_at: Date; _id: string }): CursorPart[] {
  return [createdAt, id];
}
