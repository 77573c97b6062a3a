import { describe, expect, it } from "vitest";
import { decodeCursor, InvalidCursorError } from "./cursor.ts";
import { createdAfter, createdBefore, isAfter, pageOf, placeOf, toRead } from "./page.ts";

const item = (id: string) => ({ id, createdAt: new Date(1_000) });

describe("a page of a list", () => {
  it.each([
    ["fewer than asked for", ["a"], 2, ["a"], ""],
    ["just as many", ["a", "b"], 2, ["a", "b"], ""],
    ["more", ["a", "b", "c"], 2, ["a", "b"], "b"],
    ["none", [], 2, [], ""],
  ])("of %s", (_, read, limit, ids, last) => {
    const { items, nextCursor } = pageOf(read.map(item), { limit, cursor: "" });
    expect(items.map(({ id }) => id)).toEqual(ids);
    expect(nextCursor === "" ? "" : decodeCursor(nextCursor, ["date", "string"])[1]).toBe(last);
  });

  it("is read with one item more, a thousand and one by default", () => {
    expect([toRead({ limit: 2, cursor: "" }), toRead({ cursor: "" })]).toEqual([3, 1_001]);
  });

  it("begins after the place that the page before ended at", () => {
    const { nextCursor } = pageOf(["a", "b"].map(item), { limit: 1, cursor: "" });
    expect(placeOf(nextCursor)).toEqual(item("a"));
    expect(createdAfter(placeOf(nextCursor))).toMatchObject({ created_at: { $gte: new Date(1_000) } });
    expect(createdAfter(placeOf(""))).toEqual({});
    expect(createdBefore(placeOf(nextCursor))).toMatchObject({ created_at: { $lte: new Date(1_000) } });
    expect(createdBefore(placeOf(""))).toEqual({});
  });

  it.each([
    ["later", { id: "a", createdAt: new Date(1_001) }, true],
    ["of the same instant, with a greater id", { id: "c", createdAt: new Date(1_000) }, true],
    ["the item itself", item("b"), false],
    ["of the same instant, with a lesser id", item("a"), false],
    ["earlier", { id: "c", createdAt: new Date(999) }, false],
  ])("has what comes after the place: %s", (_, other, expected) => {
    expect(isAfter(other, item("b"))).toBe(expected);
    expect(isAfter(other, undefined)).toBe(true);
  });

  it.each(["nonsense", "WzFd", Buffer.from('["a","b"]').toString("base64url")])("cannot begin at %s", (cursor) => {
    expect(() => placeOf(cursor)).toThrow(InvalidCursorError);
  });
});
