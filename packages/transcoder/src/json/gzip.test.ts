import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { PieceCompressor } from "./gzip.ts";

const small = Buffer.from('{"a":');
const large = Buffer.from(JSON.stringify(Array.from({ length: 20_000 }, (_, index) => index)));

describe("pieces that are compressed apart", () => {
  it.each([
    ["none", []],
    ["an empty one", [Buffer.alloc(0)]],
    ["small ones", [small, small, small]],
    ["a large one", [large]],
    ["large ones side by side, and small ones around them", [small, large, large, small, large, small]],
    ["one that cannot be made smaller", [small, randomBytes(300_000), small]],
  ])("are one gzip member that holds all of them: %s", async (_, pieces) => {
    const compressed = await new PieceCompressor().gzip(pieces);
    expect(gunzipSync(compressed).equals(Buffer.concat(pieces))).toBe(true);
  });

  it("are compressed together when all of them are small", async () => {
    const pieces = Array.from({ length: 30 }, () => Buffer.from('{"loss":{"steps":[1,2,3]}}'));
    expect((await new PieceCompressor().gzip(pieces)).length).toBeLessThan(100);
  });

  it("do not refer to each other, so that each can be kept", async () => {
    const compressor = new PieceCompressor();
    await compressor.gzip([large, small]);
    expect(gunzipSync(await compressor.gzip([small, large])).equals(Buffer.concat([small, large]))).toBe(true);
  });

  it("are compressed once when they are large: a change of the bytes behind it is not seen", async () => {
    const compressor = new PieceCompressor();
    const piece = Buffer.from(large);
    await compressor.gzip([piece]);
    piece[1] = 57;
    const stale = await compressor.gzip([piece]);
    expect(() => gunzipSync(stale)).toThrow("incorrect data check");
  });
});
