import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { BadFrameError, framed, readFrames } from "./frames.ts";

const messages = ["a", "", "bc".repeat(40_000), "d"].map((text) => Buffer.from(text));
const stream = Buffer.concat(messages.map(framed));

async function read(bytes: Buffer, size: number, maxBytes?: number): Promise<string[]> {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  const found: string[] = [];
  for await (const message of readFrames(Readable.from(parts), maxBytes)) found.push(Buffer.from(message).toString());
  return found;
}

describe("messages in a stream", () => {
  it.each([1, 3, 4, 5, 65_536, 1_000_000])("are read whole, when it comes in parts of %i bytes", async (size) => {
    expect(await read(stream, size)).toEqual(messages.map(String));
  });

  it("are refused before they are read when they are too long", async () => {
    await expect(read(Buffer.from([0x7f, 0xff, 0xff, 0xff]), 1)).rejects.toThrow(BadFrameError);
    await expect(read(stream, 7, 79_999)).rejects.toThrow(BadFrameError);
  });

  it("are refused when the stream ends within one", async () => {
    await expect(read(stream.subarray(0, -1), 1_000)).rejects.toThrow("ends early");
  });
});
