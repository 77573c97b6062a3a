/** The bytes are no structure in Thrift's compact protocol. */
export class ThriftError extends Error {
  override name = "ThriftError";
}

/** A field of a structure, by where its value lies. */
export interface ThriftField {
  /** Type as it stands in the field's header. */
  type: number;
  /** Of the value; behind the header. */
  start: number;
  end: number;
}

const types = { stop: 0, yes: 1, no: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, struct: 12 };
const maxDepth = 32;
/** Bytes of a 64-bit number at most. */
const maxVarintBytes = 10;

/**
 * The fields of the structure that begins the bytes. Everything in it is walked over, so that a parser that trusts
 * lengths, counts and depths can be given the values afterwards: no list says that it holds more than there are bytes,
 * no number is longer than 64 bits, nothing is nested deeper than 32.
 * @throws ThriftError
 */
export function thriftFields(bytes: Uint8Array): Map<number, ThriftField> {
  const walk = new Walk(bytes);
  const fields = new Map<number, ThriftField>();
  walk.struct(0, (id, field) => fields.set(id, field));
  return fields;
}

class Walk {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(depth: number, found?: (id: number, field: ThriftField) => void): void {
    if (depth > maxDepth) throw new ThriftError("nested too deep");
    let id = 0;
    for (;;) {
      const header = this.#byte();
      const type = header & 0x0f;
      if (type === types.stop) return;
      id = header >> 4 === 0 ? this.#number() : id + (header >> 4);
      const start = this.#offset;
      this.#value(type, depth);
      found?.(id, { type, start, end: this.#offset });
    }
  }

  #value(type: number, depth: number): void {
    if (type === types.yes || type === types.no) return;
    if (type === types.byte) this.#skip(1);
    else if (type === types.i16 || type === types.i32 || type === types.i64) this.#number();
    else if (type === types.double) this.#skip(8);
    else if (type === types.binary) this.#skip(this.#number());
    else if (type === types.list) this.#list(depth + 1);
    else if (type === types.struct) this.struct(depth + 1);
    else throw new ThriftError(`unknown type ${type}`);
  }

  #list(depth: number): void {
    if (depth > maxDepth) throw new ThriftError("nested too deep");
    const header = this.#byte();
    const type = header & 0x0f;
    const count = header >> 4 === 15 ? this.#number() : header >> 4;
    if (count > this.#bytes.length - this.#offset) throw new ThriftError("a list is longer than the file");
    // In a list, unlike in a structure, a yes or no takes a byte.
    const isTruth = type === types.yes || type === types.no;
    for (let index = 0; index < count; index++) this.#value(isTruth ? types.byte : type, depth);
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.#offset) throw new ThriftError("a value is longer than the file");
    this.#offset += length;
  }

  #byte(): number {
    const byte = this.#bytes[this.#offset++];
    if (byte === undefined) throw new ThriftError("the structure has no end");
    return byte;
  }

  /** An unsigned number of seven bits a byte; not exact above 2^53, where it is too large for anything that is counted. */
  #number(): number {
    let number = 0;
    for (let index = 0; index < maxVarintBytes; index++) {
      const byte = this.#byte();
      number += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return number;
    }
    throw new ThriftError("a number has no end");
  }
}
