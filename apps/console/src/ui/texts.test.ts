import { describe, expect, it } from "vitest";
import { bytesText, metricText } from "./numbers.ts";
import { sparklinePath } from "./sparkline-path.ts";
import { durationText, relativeText } from "./time-text.ts";
import { flatRange } from "./value-range.ts";

describe("an age", () => {
  it.each([
    [0, "0 sec. ago"],
    [5_000, "5 sec. ago"],
    [150_000, "2 min. ago"],
    [7_200_000, "2 hr. ago"],
    [-30_000, "in 30 sec."],
  ])("is said by its largest unit: %i ms", (ms, text) => {
    expect(relativeText(1_000_000_000_000 - ms, 1_000_000_000_000)).toBe(text);
  });
});

describe("a duration", () => {
  it.each([
    [-1, "0 s"],
    [59.9, "59 s"],
    [200, "3 min 20 s"],
    [7_500, "2 h 5 min"],
    [349_200, "4 d 1 h"],
  ])("is said by its two largest units: %d s", (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe("a value of a metric", () => {
  it.each([
    [0.981234567, "0.98123"],
    [0.00001234, "1.23e-5"],
    [12_345_678, "1.23e+7"],
    [0, "0"],
    ["NaN", "NaN"],
    ["-Infinity", "-Infinity"],
  ])("has five digits: %s", (value, text) => {
    expect(metricText(value)).toBe(text);
  });
});

describe("a number of bytes", () => {
  it.each([
    [0, "0 B"],
    [1_023, "1,020 B"],
    [1_536, "1.5 KiB"],
    [257_425_408, "246 MiB"],
  ])("is said in binary units: %i", (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});

describe("a small curve", () => {
  const box = { width: 100, height: 20 };

  it("fills its box", () => {
    expect(sparklinePath([0, 5, 10], [1, 3, 2], box)).toBe("M0.0 18.0L50.0 2.0L100.0 10.0");
  });

  it("is interrupted where a value is no finite number", () => {
    expect(sparklinePath([0, 5, 10], [1, Number.NaN, 2], box)).toBe("M0.0 18.0M100.0 2.0");
  });

  it("is empty where no value is a finite number", () => {
    expect(sparklinePath([0], [Number.NaN], box)).toBe("");
  });
});

describe("the axis of a curve whose values are all the same", () => {
  it.each([
    [0.5, 0.45, 0.55],
    [-20, -22, -18],
    [0, -1, 1],
  ])("has the value in its middle: %d", (value, min, max) => {
    expect(flatRange(value)).toEqual([min, max]);
  });
});
