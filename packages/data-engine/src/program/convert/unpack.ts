import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { create } from "@bufbuild/protobuf";
import type { FileFault } from "../../errors.ts";
import { type SourceFile, SourceFileSchema } from "../../gen/data_engine_pb.js";
import { FaultError } from "../duckdb/failures.ts";
import type { Reading } from "./source.ts";

/** Bytes from which on the ratio counts: a small file of equal bytes is no attack. */
const ratioFrom = 64 * 1_048_576;

/** Unpacks a compressed file into the scratch folder, within its bounds. @throws FaultError */
export async function unpacked(file: SourceFile, index: number, { scratch, limits }: Reading): Promise<SourceFile> {
  if (file.compression === "") return file;
  const path = join(scratch, `unpacked-${index}`);
  let [bytesIn, bytesOut] = [0, 0];
  const counted = new Transform({
    transform(part: Buffer, _, done) {
      bytesIn += part.length;
      done(null, part);
    },
  });
  const bounded = new Transform({
    transform(part: Buffer, _, done) {
      bytesOut += part.length;
      const isBomb = bytesOut > ratioFrom && bytesOut > bytesIn * limits.maxRatio;
      const isTooLong = bytesOut > Number(limits.maxUnpackedBytes);
      if (isBomb || isTooLong) done(new FaultError(tooMuch(file, isBomb, limits)));
      else done(null, part);
    },
  });
  try {
    const unpack = file.compression === "gzip" ? createGunzip() : createZstdDecompress();
    await pipeline(createReadStream(file.path), counted, unpack, bounded, createWriteStream(path));
    return create(SourceFileSchema, { ...file, path, compression: "" });
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof FaultError || !isOfCompression(error)) throw error;
    throw new FaultError({
      file: file.name,
      rule: "compression",
      message: `The file is not compressed as ${file.compression}, or it is cut`,
      remedy: "Compress it again, or upload it as it is.",
    });
  }
}

function isOfCompression(error: unknown): boolean {
  const { code } = error instanceof Error && "code" in error ? error : { code: "" };
  return typeof code === "string" && /^Z_|^ZSTD_|ERR_ZSTD|ERR_ZLIB/.test(code);
}

function tooMuch(file: SourceFile, isBomb: boolean, limits: Reading["limits"]): FileFault {
  return {
    file: file.name,
    rule: "compression",
    message: isBomb
      ? `The file unpacks to more than ${limits.maxRatio} times its size`
      : `The file unpacks to more than ${limits.maxUnpackedBytes} bytes`,
    remedy: "Upload it without compression, or in several files.",
  };
}
