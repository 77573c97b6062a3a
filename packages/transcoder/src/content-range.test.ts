import { describe, expect, it } from "vitest";
import { RangeNotSatisfiableError, selectRange } from "./content-range.ts";

const etag = '"e"';
const select = (range: string, { sizeBytes = 10, ifRange = "" } = {}) =>
  selectRange({ range, ifRange }, { sizeBytes, etag });

describe("the range of", () => {
  it.each([
    ["the first bytes", "bytes=0-3", { offset: 0, length: 4 }],
    ["one byte", "bytes=9-9", { offset: 9, length: 1 }],
    ["all from a byte on", "bytes=4-", { offset: 4, length: 6 }],
    ["the last bytes", "bytes=-3", { offset: 7, length: 3 }],
    ["more of the last bytes than there are", "bytes=-99", { offset: 0, length: 10 }],
    ["more than there is", "bytes=8-99", { offset: 8, length: 2 }],
    ["all", "bytes=0-", { offset: 0, length: 10 }],
  ])("%s", (_what, range, selected) => {
    expect(select(range)).toEqual(selected);
  });

  it.each([
    ["nothing", ""],
    ["several parts", "bytes=0-1,4-5"],
    ["another unit", "lines=0-1"],
    ["an end before the beginning", "bytes=5-4"],
    ["neither beginning nor end", "bytes=-"],
    ["a number that is none", "bytes=0x1-2"],
    ["a number beyond what can be counted", `bytes=${"9".repeat(16)}-`],
  ])("%s is everything", (_what, range) => {
    expect(select(range)).toBeUndefined();
  });

  it.each(["bytes=10-", "bytes=10-12", "bytes=-0"])("%s behind the last byte is refused", (range) => {
    expect(() => select(range)).toThrow(RangeNotSatisfiableError);
  });

  it.each(["bytes=0-", "bytes=-1"])("%s of no bytes is refused", (range) => {
    expect(() => select(range, { sizeBytes: 0 })).toThrow(RangeNotSatisfiableError);
  });
});

describe("a range of bytes that were begun before", () => {
  it("counts while they are the same", () => {
    expect(select("bytes=4-", { ifRange: etag })).toEqual({ offset: 4, length: 6 });
  });

  it.each(['"other"', 'W/"e"', "Mon, 02 Mar 2026 09:00:00 GMT"])(
    "is everything when they are those of %s",
    (ifRange) => {
      expect(select("bytes=4-", { ifRange })).toBeUndefined();
    },
  );
});
