import { type FileHandle, open } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import { CompressionType, setCompressionCodec } from "@uwdata/flechette";
import { damaged, unsupported } from "./arrow-fault.ts";
import { type BatchMetadata, type IpcMetadata, readMetadata } from "./ipc-metadata.ts";

/** Of a file: at its beginning with two zeros behind it, and at its end. */
const magic = Buffer.from("ARROW1");
const [magicBytes, endBytes] = [8, 4 + magic.length];
/** Before each message: that one follows, and the length of its metadata. */
const [continues, prefixBytes] = [0xffff_ffff, 8];
const maxMetadataBytes = 16 * 1_048_576;
/** Of a message, unpacked: it stands in memory as a whole. */
const maxMessageBytes = 64 * 1_048_576;
/** Of dictionaries, which the reader makes values of before any row refers to them. */
export const maxDictionaryBytes = 16 * 1_048_576;
const maxDictionaryValues = 1_000_000;

/** A schema, a dictionary or a record batch, as flechette reads it: with its prefix, and its body where it can be looked into. */
export interface IpcMessage extends IpcMetadata {
  readonly bytes: Uint8Array;
  /** Bytes of its buffers, unpacked. */
  readonly unpackedBytes: number;
}

setCompressionCodec(CompressionType.ZSTD, {
  encode: () => {
    throw new Error("nothing is written compressed");
  },
  decode: (bytes, length) => {
    const unpacked = zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, length) });
    if (unpacked.length !== length) throw damaged("A buffer does not unpack to the length that it says");
    // A place of its own: buffers of Node share one, and columns of numbers begin where their size divides it.
    return new Uint8Array(unpacked);
  },
});

/** Reads the messages of a file, in the form of files or of streams, one at a time. @throws ArrowFault */
export async function* readMessages(path: string): AsyncGenerator<IpcMessage> {
  await using file = await open(path);
  const { size } = await file.stat();
  let [at, end] = await boundsOf(file, size);
  const isStream = end === size;
  for (;;) {
    if (!isStream && at === end) return;
    const prefix = await piece(file, at, { bytes: prefixBytes, end });
    if (prefix.readUInt32LE(0) !== continues) throw damaged("Where a message has to begin, there is none");
    const length = prefix.readInt32LE(4);
    at += prefixBytes;
    if (length === 0) break;
    if (length < 0 || length > maxMetadataBytes) throw damaged("The metadata of a message is too long");
    const metadata = readMetadata(await piece(file, at, { bytes: length, end }));
    at += length;
    yield { ...metadata, ...(await messageAt(file, at, { metadata, length, end })) };
    at += metadata.bodyBytes;
  }
  if (isStream && at < end) throw damaged("More bytes follow the end of the stream");
}

/** Where messages begin and end. */
async function boundsOf(file: FileHandle, size: number): Promise<[start: number, end: number]> {
  const whole = { end: size };
  const start = await piece(file, 0, { ...whole, bytes: Math.min(size, magicBytes) });
  if (start.subarray(0, 4).toString("latin1") === "FEA1")
    throw unsupported("The file is of version 1 of Feather", "Write it as version 2 of Feather.");
  if (!start.subarray(0, magic.length).equals(magic)) {
    if (start.length >= 4 && start.readUInt32LE(0) === continues) return [0, size];
    throw damaged("The file does not begin as a file or a stream of Arrow begins");
  }
  const tail = await piece(file, Math.max(0, size - endBytes), { ...whole, bytes: endBytes });
  const footer = tail.readInt32LE(0);
  const end = size - endBytes - footer;
  if (!tail.subarray(4).equals(magic) || footer <= 0 || end < magicBytes)
    throw damaged("The file does not end as a file of Arrow ends: it is cut");
  return [magicBytes, end];
}

async function messageAt(
  file: FileHandle,
  at: number,
  { metadata, length, end }: { metadata: IpcMetadata; length: number; end: number },
): Promise<Pick<IpcMessage, "bytes" | "unpackedBytes">> {
  const { bodyBytes, batch, kind } = metadata;
  if (bodyBytes > maxMessageBytes) throw tooLarge();
  if (kind === "dictionary" && (batch?.maxValues ?? 0) > maxDictionaryValues)
    throw unsupported(
      `A dictionary has more than ${maxDictionaryValues} values`,
      "Write the column without a dictionary, or the file again if it has none.",
    );
  // Whatever the length of its metadata, a body begins where all numbers can be read.
  const padded = Math.ceil(length / 8) * 8;
  if (at + bodyBytes > end) throw cut();
  const bytes = Buffer.from(new ArrayBuffer(prefixBytes + padded + bodyBytes));
  bytes.writeUInt32LE(continues, 0);
  bytes.writeInt32LE(padded, 4);
  await fill(file, bytes.subarray(prefixBytes, prefixBytes + length), at - length);
  await fill(file, bytes.subarray(prefixBytes + padded), at);
  return { bytes, unpackedBytes: batch ? unpackedOf(bytes.subarray(prefixBytes + padded), batch) : 0 };
}

/** Bytes of all buffers, unpacked: each lies within the body, and together they are bounded, also where they share bytes of it. */
function unpackedOf(body: Buffer, { buffers, codec }: BatchMetadata): number {
  if (codec === CompressionType.LZ4_FRAME)
    throw unsupported("The buffers of the file are compressed with LZ4", "Write it uncompressed, or with zstd.");
  if (codec !== undefined && codec !== CompressionType.ZSTD) throw damaged("The buffers have an unknown compression");
  let unpacked = 0;
  for (const { offset, bytes } of buffers) {
    if (offset < 0 || bytes < 0 || offset + bytes > body.length)
      throw damaged("A buffer lies outside of its record batch");
    unpacked += codec === undefined || bytes === 0 ? bytes : lengthOf(body, offset, bytes);
    if (unpacked > maxMessageBytes) throw tooLarge();
  }
  return unpacked;
}

/** Of a compressed buffer, unpacked. */
function lengthOf(body: Buffer, offset: number, bytes: number): number {
  if (bytes < 8) throw damaged("A compressed buffer has no length");
  const length = body.readBigInt64LE(offset);
  if (length < -1n) throw damaged("A compressed buffer has a length below zero");
  // As it is: compressing would have made it longer.
  return length === -1n ? bytes : Number(length);
}

const tooLarge = () =>
  unsupported(
    `A record batch or a dictionary has more than ${maxMessageBytes / 1_048_576} MiB`,
    "Write smaller record batches: in pyarrow, write_table(table, max_chunksize=65536).",
  );

const cut = () => damaged("The file ends within a message, or without its end marker: it is cut");

async function piece(file: FileHandle, at: number, { bytes, end }: { bytes: number; end: number }): Promise<Buffer> {
  if (at + bytes > end) throw cut();
  return await fill(file, Buffer.alloc(bytes), at);
}

async function fill(file: FileHandle, into: Buffer, at: number): Promise<Buffer> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await file.read(into, done, into.length - done, at + done);
    if (bytesRead === 0) throw cut();
    done += bytesRead;
  }
  return into;
}
