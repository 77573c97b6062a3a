import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor, InvalidCursorError } from "./cursor.ts";

const at = new Date("2026-01-02T03:04:05.006Z");
const textOf = (json: string) => Buffer.from(json).toString("base64url");

describe("a cursor", () => {
  it.each([
    ["a text", ["a/b+ü\u0000\ud83d\ude00"]],
    ["numbers", [0, -1.5, Number.MAX_SAFE_INTEGER]],
    ["a date", [at]],
    ["several", [at, 7, "id"]],
    ["nothing", []],
  ])("holds %s", (_what, parts) => {
    const text = encodeCursor(parts);
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeCursor(text)).toEqual(parts);
  });

  it("is read as what the list is sorted by", () => {
    const [date, id] = decodeCursor(encodeCursor([at, "id"]), ["date", "string"]);
    expect([date.getTime(), id.length]).toEqual([at.getTime(), 2]);
  });

  it.each([
    ["with a part too many", [at, "id", 1]],
    ["with a part too few", [at]],
    ["of other types", ["id", at]],
    ["of numbers in place of dates", [at.getTime(), "id"]],
  ])("of another list, %s, is refused", (_what, parts) => {
    expect(() => decodeCursor(encodeCursor(parts), ["date", "string"])).toThrow(InvalidCursorError);
  });
});

describe("a text that is no cursor", () => {
  it.each([
    ["empty", ""],
    ["not base64url", "a b"],
    ["padded", `${textOf("[1]")}=`],
    ["not JSON", textOf("[")],
    ["not a list", textOf('{"$gt":1}')],
    ["of objects", textOf('[{"$gt":""}]')],
    ["of nulls", textOf("[null]")],
    ["of truth values", textOf("[true]")],
    ["of an endless number", textOf("[1e999]")],
    ["of a date beyond time", textOf("[[9e15]]")],
    ["of a date with a text", textOf('[["2026"]]')],
    ["of two dates in one", textOf("[[1,2]]")],
    ["of no date", textOf("[[]]")],
  ])("because it is %s is refused", (_why, text) => {
    expect(() => decodeCursor(text)).toThrow(InvalidCursorError);
  });
});
