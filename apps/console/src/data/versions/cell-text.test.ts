import { describe, expect, it } from "vitest";
import { cellText } from "./cell-text.ts";

const image = Array.from({ length: 784 }, () => 0);

describe("the text of a cell", () => {
  it.each([
    [7, "7"],
    [false, "false"],
    ["depot", "depot"],
    [[1, 2, 3], "[1,2,3]"],
    [{ city: "Oslo" }, '{"city":"Oslo"}'],
    ["a".repeat(80), "a".repeat(80)],
  ])("is the value where that is short: %j", (value, text) => {
    expect(cellText(value)).toBe(text);
  });

  it.each([null, undefined])("is none without a value: %j", (value) => {
    expect(cellText(value)).toBeUndefined();
  });

  it("is the first items of a long list, and how many there are", () => {
    expect(cellText(image)).toBe(`[${"0,".repeat(39)}… 784 values`);
  });

  it("cuts no number of a list in two", () => {
    expect(cellText(Array.from({ length: 1_000 }, () => 123_456_789))).toMatch(/^\[(123456789,)+… 1,000 values$/);
  });

  it("is the beginning of a long text or object, and its size", () => {
    expect(cellText("b".repeat(1_200))).toBe(`${"b".repeat(80)}… 1,200 characters`);
    expect(cellText({ text: "c".repeat(100) })).toMatch(/^\{"text":"c{71}… 1 member$/);
  });
});
