import type { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import { decodeCursor, encodeCursor } from "@aiplatform/document-store";

/** A place among the results: the newest come first, what has no time last. */
export interface SearchPlace {
  /** The beginning of time where there is none. */
  createdAt: Date;
  kind: SearchKind;
  id: string;
}

/** Time of what has none. */
export const noTime = new Date(0);

/** Below 0 when the first comes first. */
export function comparePlaces(one: SearchPlace, other: SearchPlace): number {
  const byTime = other.createdAt.getTime() - one.createdAt.getTime();
  if (byTime !== 0) return byTime;
  if (one.kind !== other.kind) return one.kind - other.kind;
  return Buffer.compare(Buffer.from(other.id), Buffer.from(one.id));
}

export function cursorOf({ createdAt, kind, id }: SearchPlace): string {
  return encodeCursor([createdAt, kind, id]);
}

/** The place that a cursor names; undefined before the first result. @throws InvalidCursorError */
export function placeOf(cursor: string): SearchPlace | undefined {
  if (cursor === "") return undefined;
  const [createdAt, kind, id] = decodeCursor(cursor, ["date", "number", "string"]);
  return { createdAt, kind, id };
}

/** Conditions of documents of a kind that come behind a place. Undefined: none does. */
export function behind(
  place: SearchPlace | undefined,
  { kind, hasTime }: { kind: SearchKind; hasTime: boolean },
): Readonly<Record<string, unknown>> | undefined {
  if (!place) return {};
  const { createdAt, id } = place;
  const isBehind = kind > place.kind;
  const sameTime = kind === place.kind ? { _id: { $lt: id } } : {};
  if (!hasTime && createdAt > noTime) return {};
  if (!hasTime) return kind < place.kind ? undefined : sameTime;
  const earlier = { created_at: { $lt: createdAt } };
  if (isBehind) return { created_at: { $lte: createdAt } };
  if (kind < place.kind) return earlier;
  return { created_at: { $lte: createdAt }, $or: [earlier, sameTime] };
}
