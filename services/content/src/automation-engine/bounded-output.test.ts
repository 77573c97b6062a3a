import { describe, expect, it } from "vitest";
import { boundedOutput, maxOutputBytes } from "./bounded-output.ts";

const nothing: never[] = [];

describe("what a step made", () => {
  it("is kept whole where it is small", () => {
    expect(boundedOutput({ text: "ü", list: [1] }, nothing)).toBe('{"text":"ü","list":[1]}');
  });

  it.each([
    ["letters", "x"],
    ["letters of two bytes", "ü"],
    ["signs of two halves", "😀"],
    ["signs that JSON escapes", "\u0001"],
  ])("has its texts cut where it is too large: %s", (_, sign) => {
    const text = boundedOutput({ text: sign.repeat(100_000), count: 1 }, nothing);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxOutputBytes);
    expect(Buffer.byteLength(text)).toBeGreaterThan(maxOutputBytes * 0.9);
    expect(JSON.parse(text)).toMatchObject({ count: 1, cut: true });
  });

  it("is left out where it is large without texts", () => {
    const list = Array.from({ length: 50_000 }, (_, index) => index);
    expect(boundedOutput({ list }, nothing)).toBe('{"cut":true}');
  });

  it("is left out where the run has made too much already", () => {
    const earlier = Array.from({ length: 64 }, () => ({ output: "x".repeat(maxOutputBytes) }));
    expect(boundedOutput({ text: "x" }, earlier)).toBe('{"cut":true}');
  });
});
