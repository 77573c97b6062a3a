import { describe, expect, it } from "vitest";
import { pageOf } from "../../bench/page.ts";
import type { ResultFile } from "../../bench/result-file.ts";

const machine = { processor: "any", cores: 2, memoryGiB: 8, system: "linux x64", node: "v26", spinMs: 10 };
const spread = (median: number) => ({ median, min: median * 0.9, max: median * 1.2 });

/** Row 3 of a commit: operation 1 against an insert. */
function resultOf(commit: string, ratio: number, disturbed?: string): ResultFile {
  const floor = { name: "direct insert", ...spread(2) };
  const figure = { id: "command-p50", name: "operation 1, p50 at 1", unit: "ms", rounds: 5, ...spread(ratio * 2) };
  const rows = [{ row: 3, figures: [{ ...figure, floor, ratio: spread(ratio) }], ...(disturbed && { disturbed }) }];
  return { commit, measuredAt: "2026-01-01T00:00:00Z", machine, rows };
}

describe("the page of the benches", () => {
  const page = pageOf([resultOf("aaaaaaaaaaaa", 1.5), resultOf("bbbbbbbbbbbb", 3, "the load is <high>")]);

  it("shows the newest figure of a goal with its verdict", () => {
    expect(page).toContain("operation 1, p50 at 1: goal ≤ 1.7 ×");
    expect(page).toContain("Newest: 3.00 [2.70-3.60] ×, missed.");
  });

  it("has a dot for each commit, hollow where the machine was not quiet", () => {
    expect(page).toContain("aaaaaaaaaaaa: 1.50 [1.35-1.80] ×, met");
    expect(page.match(/<circle /g)).toHaveLength(2);
    expect(page.match(/fill="#fff"/g)).toHaveLength(1);
  });

  it("says of other rows that they were not measured", () => {
    expect(page).toContain("Not measured.");
  });

  it("leaves out what was measured of changed files", () => {
    expect(pageOf([resultOf("aaaaaaaaaaaa-changed", 1.5)])).not.toContain("<circle");
  });

  it("loads nothing, and shows texts as texts", () => {
    expect(page).not.toMatch(/<script|<link|<img|src=|href=|url\(/);
    expect(page).not.toContain("<high>");
  });
});
