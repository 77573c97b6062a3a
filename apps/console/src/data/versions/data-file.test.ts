import { describe, expect, it } from "vitest";
import { kindOf } from "./data-file.ts";

describe("what a file is by its name", () => {
  it.each([
    ["orders.csv", { format: "csv" }],
    ["Orders 2025.TSV", { format: "csv" }],
    ["orders.2025.jsonl", { format: "jsonl" }],
    ["orders.parquet", { format: "parquet" }],
    ["orders.arrows", { format: "arrow" }],
    ["orders.feather", { format: "arrow" }],
    ["orders.csv.gz", { format: "csv", compression: "gzip" }],
    ["orders.ndjson.zst", { format: "jsonl", compression: "zstd" }],
    ["orders", undefined],
    ["orders.gz", undefined],
    ["orders.xlsx", undefined],
  ])("of %s", (name, kind) => {
    expect(kindOf(name)).toEqual(kind);
  });
});
