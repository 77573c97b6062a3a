import { describe, expect, it } from "vitest";
import { formatOf, maxSampleBytes, samplePart } from "./sample-part.ts";

describe("the format of a file", () => {
  it.each([
    ["orders.csv", "csv"],
    ["Orders.PARQUET", "parquet"],
    ["orders.tsv", "csv"],
    ["orders.parquet.csv", "csv"],
  ])("is known by its name: %s", (name, format) => {
    expect(formatOf(name)).toBe(format);
  });
});

describe("the sample of a file", () => {
  const large = maxSampleBytes + 5;

  it.each([
    ["csv", 12, 0, 12],
    ["parquet", maxSampleBytes, 0, maxSampleBytes],
    ["csv", large, 0, maxSampleBytes],
    ["parquet", large, 5, large],
  ] as const)(
    "is all of a small file, the beginning of CSV, the end of Parquet: %s, %i bytes",
    (format, size, start, end) => {
      expect(samplePart(format, size)).toEqual({ start, end });
    },
  );
});
