import { describe, expect, it } from "vitest";
import { readPages } from "./read-pages.ts";

const pages = new Map([
  [undefined, { items: [1, 2], next: "b" }],
  ["b", { items: [3], next: "c" }],
  ["c", { items: [4], next: undefined }],
]);
const read = async (cursor: string | undefined) => pages.get(cursor) ?? { items: [], next: undefined };

describe("a list that is read page after page", () => {
  it("ends at its last page", async () => {
    expect(await readPages({ read, maxPages: 10 })).toEqual([1, 2, 3, 4]);
  });

  it("ends at the number of pages that it may have", async () => {
    expect(await readPages({ read, maxPages: 2 })).toEqual([1, 2, 3]);
  });

  it("ends at what is enough", async () => {
    expect(await readPages({ read, maxPages: 10, isEnough: (items) => items.includes(2) })).toEqual([1, 2]);
  });
});
