import { promisify } from "node:util";
import zlib from "node:zlib";

const gzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer<ArrayBuffer>>(zlib.gzip);
const deflate = promisify<Uint8Array, zlib.ZlibOptions, Buffer<ArrayBuffer>>(zlib.deflateRaw);
const level = 4;
/** Ends at a byte without ending the stream, so that what is compressed apart can follow. */
const options = { level, finishFlush: zlib.constants.Z_SYNC_FLUSH };

/** No name, no time, an unknown system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The last block, which is empty. */
const end = Buffer.from([3, 0]);

/** Pieces from this size on are compressed, once. Beside those a smaller one is not worth a compressor, and fits into a stored block. */
const keptFrom = 4_096;
const isKept = ({ length }: Uint8Array) => length >= keptFrom;

/** Compresses texts whose large pieces are often the same bytes: each of those once, for as long as its bytes are kept. */
export class PieceCompressor {
  readonly #kept = new WeakMap<Uint8Array, Promise<Buffer<ArrayBuffer>>>();

  /** The pieces as one gzip member (RFC 1952). */
  async gzip(pieces: readonly Uint8Array[]): Promise<Buffer<ArrayBuffer>> {
    const parts = joined(pieces);
    if (!parts.some(isKept)) return gzip(Buffer.concat(parts), { level });
    const deflated = await Promise.all(parts.map((part) => this.#deflate(part)));
    let crc = 0;
    let size = 0;
    for (const piece of pieces) {
      crc = zlib.crc32(piece, crc);
      size += piece.length;
    }
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc, 0);
    trailer.writeUInt32LE(size % 2 ** 32, 4);
    return Buffer.concat([head, ...deflated, end, trailer]);
  }

  #deflate(piece: Uint8Array): Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>> {
    if (!isKept(piece)) return stored(piece);
    const kept = this.#kept.get(piece) ?? deflate(piece, options);
    this.#kept.set(piece, kept);
    return kept;
  }
}

/** A block that is not compressed (RFC 1951, 3.2.4). It begins at a byte, where each block here ends. */
function stored(piece: Uint8Array): Buffer<ArrayBuffer> {
  const block = Buffer.alloc(5 + piece.length);
  block.writeUInt16LE(piece.length, 1);
  block.writeUInt16LE(piece.length ^ 0xffff, 3);
  block.set(piece, 5);
  return block;
}

/** With small neighbours as one piece. */
function joined(pieces: readonly Uint8Array[]): Uint8Array[] {
  const all: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const close = () => {
    if (small.length > 0) all.push(Buffer.concat(small));
    small = [];
  };
  for (const piece of pieces) {
    if (isKept(piece)) {
      close();
      all.push(piece);
    } else small.push(piece);
  }
  close();
  return all;
}
