import { damaged } from "./arrow-fault.ts";

/** Tables that one message may have, and how deep they may stand in each other. */
const maxTables = 100_000;
const maxDepth = 64;
/** How often texts may stand for the same bytes, on average. */
const maxSharing = 4;

/** Where the value of a field of a table stands; undefined: it has none. Fields are numbered as in the schema of the format. */
export type Fields = (field: number) => number | undefined;

/** What a field of a table leads to. */
export type Part =
  | { readonly kind: "text" }
  | { readonly kind: "table" | "tables"; readonly check: TableCheck }
  | { readonly kind: "structs"; readonly bytes: number };

/** The parts of a table by their fields, as far as they lead anywhere. */
export type TableCheck = (fields: Fields, flat: FlatMetadata) => Readonly<Record<number, Part>>;

/**
 * Metadata as FlatBuffers writes it. Everything is looked at before a reader follows it: the reader trusts places and lengths, and a
 * wrong one would have it make lists of any length.
 */
export class FlatMetadata {
  readonly #view: DataView;
  #left = maxTables;
  /** Bytes of texts and lists: many fields may lead to one long text, of which the reader makes one for each. */
  #listBytes: number;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.#listBytes = maxSharing * byteLength;
  }

  int(at: number, bytes: 1 | 2 | 4 | 8): number {
    this.#within(at, bytes);
    if (bytes === 1) return this.#view.getUint8(at);
    if (bytes === 2) return this.#view.getInt16(at, true);
    if (bytes === 4) return this.#view.getInt32(at, true);
    const long = Number(this.#view.getBigInt64(at, true));
    if (!Number.isSafeInteger(long)) throw damaged("A number of the metadata is out of bounds");
    return long;
  }

  /** The table that a place leads to. */
  table(at: number): Fields {
    if (--this.#left < 0) throw damaged("The metadata has too many parts");
    const start = this.target(at);
    const index = start - this.int(start, 4);
    const size = this.int(index, 2);
    // The reader takes half a field for a whole one.
    if (size < 4 || size % 2 !== 0) throw damaged("A part of the metadata has no fields");
    this.#within(index, size);
    return (field) => {
      const slot = 4 + 2 * field;
      const offset = slot + 2 <= size ? this.int(index + slot, 2) : 0;
      if (offset < 0) throw damaged("A field of the metadata is out of bounds");
      return offset === 0 ? undefined : start + offset;
    };
  }

  /** Where a place leads to: always further on. */
  target(at: number): number {
    const distance = this.int(at, 4);
    if (distance <= 0) throw damaged("The metadata leads nowhere");
    this.#within(at + distance, 4);
    return at + distance;
  }

  /** Where the items of a list begin, and how many there are. */
  list(at: number, bytes: number): { readonly start: number; readonly count: number } {
    const place = this.target(at);
    const count = this.int(place, 4);
    if (count < 0) throw damaged("A list of the metadata has a length below zero");
    this.#within(place + 4, count * bytes);
    return { start: place + 4, count };
  }

  /** Looks at a table and all that it leads to. */
  check(at: number, table: TableCheck, depth = 0): void {
    if (depth > maxDepth) throw damaged(`The metadata is more than ${maxDepth} levels deep`);
    const fields = this.table(at);
    for (const [field, part] of Object.entries(table(fields, this))) {
      const place = fields(Number(field));
      if (place !== undefined) this.#checkPart(place, part, depth + 1);
    }
  }

  #checkPart(at: number, part: Part, depth: number): void {
    if (part.kind === "text") this.#take(this.list(at, 1).count);
    else if (part.kind === "structs") this.#take(this.list(at, part.bytes).count * part.bytes);
    else if (part.kind === "table") this.check(at, part.check, depth);
    else {
      const { start, count } = this.list(at, 4);
      for (let index = 0; index < count; index++) this.check(start + 4 * index, part.check, depth);
    }
  }

  #take(bytes: number): void {
    this.#listBytes -= bytes;
    if (this.#listBytes < 0) throw damaged("The metadata has the same bytes too often");
  }

  #within(at: number, bytes: number): void {
    if (at < 0 || at + bytes > this.#view.byteLength) throw damaged("The metadata is cut, or leads out of itself");
  }
}
