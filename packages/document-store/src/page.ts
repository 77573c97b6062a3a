import { type CursorPart, decodeCursor, encodeCursor } from "./cursor.ts";

/** Which part of a list is wanted. */
export interface PageRequest {
  /** Items at most, 1 to 1,000. Default 1,000. */
  limit?: number | undefined;
  /** `nextCursor` of the page before; empty: from the start. */
  cursor: string;
}

/** Part of a list. */
export interface Page<T> {
  items: T[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** Default number of items of a page. */
const defaultLimit = 1_000;

/** Order of creation, as a sort. */
export const byCreation = { created_at: 1, _id: 1 } as const;

/** The reverse of the order of creation, as a sort. */
export const newestFirst = { created_at: -1, _id: -1 } as const;

/** A place in a list by creation. */
export interface Place {
  id: string;
  createdAt: Date;
}

/** The place that a cursor names; undefined before the first item. @throws InvalidCursorError */
export function placeOf(cursor: string): Place | undefined {
  if (cursor === "") return undefined;
  const [createdAt, id] = decodeCursor(cursor, ["date", "string"]);
  return { createdAt, id };
}

/** Whether an item comes after a place in the order of creation; everything comes after no place. */
export function isAfter({ id, createdAt }: Place, place: Place | undefined): boolean {
  if (!place) return true;
  const laterMs = createdAt.getTime() - place.createdAt.getTime();
  return laterMs > 0 || (laterMs === 0 && id > place.id);
}

/** Filter of what was created after a place, in the order of creation. */
export function createdAfter(place: Place | undefined) {
  if (!place) return {};
  const { createdAt, id } = place;
  // The first condition is what an index can use; the second takes those of the same instant apart.
  return { created_at: { $gte: createdAt }, $or: [{ created_at: { $gt: createdAt } }, { _id: { $gt: id } }] };
}

/** Filter of what was created before a place, for a list that begins with the newest. */
export function createdBefore(place: Place | undefined) {
  if (!place) return {};
  const { createdAt, id } = place;
  return { created_at: { $lte: createdAt }, $or: [{ created_at: { $lt: createdAt } }, { _id: { $lt: id } }] };
}

/** How many documents to read for a page: one more than it holds tells whether another page follows. */
export function toRead({ limit = defaultLimit }: PageRequest): number {
  return limit + 1;
}

/** The page that begins the items that were read in the order of creation, or in its reverse. */
export function pageOf<T extends Place>(read: readonly T[], request: PageRequest): Page<T> {
  return pageBy(read, request, ({ createdAt, id }) => [createdAt, id]);
}

/** The page that begins the items that were read in the order of their keys. */
export function pageBy<T>(
  read: readonly T[],
  { limit = defaultLimit }: PageRequest,
  keyOf: (item: T) => readonly CursorPart[],
): Page<T> {
  const items = read.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last !== undefined && read.length > limit ? encodeCursor(keyOf(last)) : "" };
}
