import { InvalidCursorError } from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
import { offsetOf, rowCursor } from "./row-cursor.ts";

const asked = { versionId: "019c6b7e-b277-7fd6-a236-76a525c29b9e", filter: "a > 1", orderBy: "a" };

describe("a cursor of rows", () => {
  it("says how many rows are before the page", () => {
    expect(offsetOf(asked, rowCursor(asked, 300))).toBe(300);
    expect(offsetOf(asked, "")).toBe(0);
  });

  it.each([
    ["another version", { ...asked, versionId: "019c6b7e-b277-7fd6-a236-76a525c29b9f" }],
    ["another filter", { ...asked, filter: "a > 2" }],
    ["another order", { ...asked, orderBy: "a desc" }],
  ])("is not good for %s", (_, other) => {
    expect(() => offsetOf(other, rowCursor(asked, 300))).toThrow(InvalidCursorError);
  });

  it.each([-1, 0.5, 2 ** 60])("is refused with the offset %d", (offset) => {
    expect(() => offsetOf(asked, rowCursor(asked, offset))).toThrow(InvalidCursorError);
  });

  it("is refused when it is none", () => {
    expect(() => offsetOf(asked, "next")).toThrow(InvalidCursorError);
  });
});
