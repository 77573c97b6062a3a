import { describe, expect, it } from "vitest";
import { maxPageSize, readBounded } from "./bounded-page.ts";

async function* listOf(...sizes: number[]) {
  yield* sizes;
}

describe("a page of a list", () => {
  it.each([
    ["everything when that is little", [1, 2], 3, [1, 2], true],
    ["everything when that is just as many items", [1, 2], 2, [1, 2], true],
    ["as many items as asked for", [1, 2, 3], 2, [1, 2], false],
    ["no more than fits", [maxPageSize - 1, 1, 1], 3, [maxPageSize - 1, 1], false],
    ["one item, however large", [maxPageSize + 1, 1], 3, [maxPageSize + 1], false],
    ["nothing of nothing", [], 3, [], true],
  ])("holds %s", async (_, sizes, limit, items, isLast) => {
    expect(await readBounded(listOf(...sizes), { limit, sizeOf: (size) => size })).toEqual({ items, isLast });
  });
});
