import type { Readable } from "node:stream";

/** Bytes of the length in front of each message. */
const prefixBytes = 4;
/** Of the largest message: a page with its columns. */
export const maxFrameBytes = 32 * 1_048_576;

/** A peer says something that is no message. */
export class BadFrameError extends Error {
  override name = "BadFrameError";
}

/** A message with its length in front. */
export function framed(message: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length);
  frame.writeUInt32BE(message.length);
  frame.set(message, prefixBytes);
  return frame;
}

/** The messages of a stream, each whole. @throws BadFrameError one that is too long, or ends early */
export async function* readFrames(stream: Readable, maxBytes = maxFrameBytes): AsyncGenerator<Uint8Array> {
  let parts: Buffer[] = [];
  let length = 0;
  let wanted: number | undefined;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    for (;;) {
      if (wanted === undefined && length >= prefixBytes) {
        parts = [Buffer.concat(parts)];
        wanted = prefixBytes + (parts[0]?.readUInt32BE() ?? 0);
        if (wanted > prefixBytes + maxBytes) throw new BadFrameError(`a message of ${wanted} bytes`);
      }
      if (wanted === undefined || length < wanted) break;
      const whole = Buffer.concat(parts);
      yield whole.subarray(prefixBytes, wanted);
      parts = [whole.subarray(wanted)];
      length -= wanted;
      wanted = undefined;
    }
  }
  if (length > 0) throw new BadFrameError("a message that ends early");
}
