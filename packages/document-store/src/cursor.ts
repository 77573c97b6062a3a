/** Part of the key that a list is sorted by. */
export type CursorPart = string | number | Date;

/** What a part is expected to be. */
export type CursorPartType = "string" | "number" | "date";

/** The parts of a cursor with these types. */
export type CursorParts<Types extends readonly CursorPartType[]> = {
  -readonly [Index in keyof Types]: { string: string; number: number; date: Date }[Types[Index]];
};

/** The cursor is none that this list has given out. */
export class InvalidCursorError extends Error {
  override name = "InvalidCursorError";
  /** The request field that held it. */
  readonly field = "cursor";
  constructor() {
    super("invalid cursor: use one that this list has returned");
  }
}

/** Sort key of a page's last item as an opaque text that fits into a URL. Numbers must be finite. */
export function encodeCursor(parts: readonly CursorPart[]): string {
  const plain = parts.map((part) => (part instanceof Date ? [part.getTime()] : part));
  return Buffer.from(JSON.stringify(plain)).toString("base64url");
}

/**
 * The sort key in a cursor; with `types`, exactly these parts. It comes from the client, so believe its types and nothing
 * else: it may name an item that never was. Throws {@link InvalidCursorError}.
 */
export function decodeCursor(text: string): CursorPart[];
export function decodeCursor<const Types extends readonly CursorPartType[]>(
  text: string,
  types: Types,
): CursorParts<Types>;
export function decodeCursor(text: string, types?: readonly CursorPartType[]): CursorPart[] {
  const parts = parse(text);
  if (types && (parts.length !== types.length || parts.some((part, index) => typeOf(part) !== types[index]))) {
    throw new InvalidCursorError();
  }
  return parts;
}

function parse(text: string): CursorPart[] {
  const bytes = Buffer.from(text, "base64url");
  // The decoder skips what it does not know; only the text that we would write is a cursor.
  if (text === "" || bytes.toString("base64url") !== text) throw new InvalidCursorError();
  let plain: unknown;
  try {
    plain = JSON.parse(bytes.toString());
  } catch {
    throw new InvalidCursorError();
  }
  if (!Array.isArray(plain)) throw new InvalidCursorError();
  return plain.map(readPart);
}

function readPart(plain: unknown): CursorPart {
  if (typeof plain === "string" || (typeof plain === "number" && Number.isFinite(plain))) return plain;
  const [milliseconds, ...others] = Array.isArray(plain) ? plain : [];
  const date = new Date(typeof milliseconds === "number" ? milliseconds : Number.NaN);
  if (others.length > 0 || Number.isNaN(date.getTime())) throw new InvalidCursorError();
  return date;
}

function typeOf(part: CursorPart): CursorPartType {
  if (part instanceof Date) return "date";
  return typeof part === "string" ? "string" : "number";
}
