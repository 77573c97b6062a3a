import type { FileHandle } from "node:fs/promises";
import { told } from "./artifact-source.ts";

const pieceBytes = 256 * 1024;

/** The bytes of an open file, from its beginning. Throws SourceUnreadableError. */
export async function* bytesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(pieceBytes);
    const { bytesRead } = await told(file.read(buffer, 0, pieceBytes, position));
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
