import { describe, expect, it } from "vitest";
import { repeatedNames } from "./repeated-names.ts";

describe("names in a list", () => {
  it("may stand in it once; each that stands there again is named", () => {
    const placeOf = (index: number) => `columns[${index}].name`;
    expect(repeatedNames(["a", "b", "A"], placeOf)).toEqual([]);
    const again = repeatedNames(["a", "b", "a", "b", "a"], placeOf);
    expect(again.map(({ field, reason }) => [field, reason])).toEqual(
      [2, 3, 4].map((index) => [`columns[${index}].name`, "NAME_REPEATED"]),
    );
    expect(again.map(({ description }) => description)).toEqual(
      [0, 1, 0].map((first) => `the name stands at ${first} already`),
    );
  });
});
