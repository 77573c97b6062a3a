import { createHash } from "node:crypto";
import { decodeCursor, encodeCursor, InvalidCursorError } from "@aiplatform/document-store";

/** What a page of rows is of. A cursor is good for the same rows in the same order alone. */
export interface RowsAsked {
  versionId: string;
  filter: string;
  orderBy: string;
}

/** The cursor behind so many rows. */
export function rowCursor(asked: RowsAsked, offset: number): string {
  return encodeCursor([digestOf(asked), offset]);
}

/** How many rows are before the page; 0 without a cursor. @throws InvalidCursorError */
export function offsetOf(asked: RowsAsked, cursor: string): number {
  if (cursor === "") return 0;
  const [digest, offset] = decodeCursor(cursor, ["string", "number"]);
  if (digest !== digestOf(asked) || !Number.isSafeInteger(offset) || offset < 0) throw new InvalidCursorError();
  return offset;
}

function digestOf({ versionId, filter, orderBy }: RowsAsked): string {
  const text = JSON.stringify([versionId, filter, orderBy]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
