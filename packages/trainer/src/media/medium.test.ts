import { describe, expect, it } from "vitest";
import { histogram, image, MediaError, table, text } from "./medium.ts";

const bytesOf = (hex: string) => Buffer.from(hex, "hex");

describe("an image", () => {
  it.each([
    ["89504e470d0a1a0a00", "image/png"],
    ["ffd8ffe000", "image/jpeg"],
    ["524946460000000057454250", "image/webp"],
  ])("of the bytes %s is %s", (hex, mediaType) => {
    expect(image("dot", bytesOf(hex)).file?.mediaType).toBe(mediaType);
  });

  it.each([
    ["of no known format", bytesOf("474946383961"), "the bytes are no PNG, JPEG or WebP"],
    ["that is too large", Buffer.concat([bytesOf("ffd8ff"), Buffer.alloc(10_485_760)]), "an image may have 10485760"],
  ])("%s is refused", (_, bytes, problem) => {
    expect(() => image("dot", bytes)).toThrow(problem);
  });
});

describe("a histogram", () => {
  it.each([
    ["some numbers", [0, 1, 2, 3, Number.NaN], 4, [0, 0.75, 1.5, 2.25, 3], [1, 1, 1, 1]],
    ["no number", [], 1, [-0.5, 0.5], [0]],
    ["one number", [0, 0], 1, [-0.5, 0.5], [2]],
  ])("of %s has ascending edges and the counts between them", (_, values, bins, edges, counts) => {
    expect(histogram("weights", values, bins).shown.content).toMatchObject({ value: { edges, counts } });
  });

  it.each([0, 513, 1.5])("of %d bins is refused", (bins) => {
    expect(() => histogram("weights", [1], bins)).toThrow(MediaError);
  });
});

describe("a table and a text", () => {
  it("stand in the report where they are small, and are files where they are large", () => {
    expect(text("note", "x".repeat(8_192)).file).toBeUndefined();
    expect(text("note", "x".repeat(8_193)).file?.mediaType).toBe("text/plain");
    const row = ["x".repeat(1_000)];
    expect(table("rows", ["a"], [row]).file).toBeUndefined();
    expect(table("rows", ["a"], new Array(20).fill(row)).file?.mediaType).toBe("application/json");
  });

  it.each([
    ["a row of another length", () => table("rows", ["a", "b"], [[1]]), "row 0 has 1 cells for 2 columns"],
    ["no column", () => table("rows", [], []), "1 to 100 columns"],
    ["no name", () => text("", "x"), "a name has 1 to 255 characters"],
    ["more than 1 MiB", () => text("note", "x".repeat(1_048_577)), "may have 1048576"],
  ])("are refused with %s", (_, make, problem) => {
    expect(make).toThrow(problem);
  });
});
