import { describe, expect, it } from "vitest";
import { amountText, quotaText, quotaUse, shareText } from "./quota-text.ts";

describe("a quota", () => {
  it.each([
    [
      { used: 0, limit: 10 },
      { share: 0, tone: "good" },
    ],
    [
      { used: 7, limit: 10 },
      { share: 0.7, tone: "good" },
    ],
    [
      { used: 8, limit: 10 },
      { share: 0.8, tone: "warn" },
    ],
    [
      { used: 10, limit: 10 },
      { share: 1, tone: "bad" },
    ],
    [
      { used: 20, limit: 10 },
      { share: 2, tone: "bad" },
    ],
    [
      { used: 0, limit: 0 },
      { share: 1, tone: "bad" },
    ],
  ])("shows how full it is: %j", (quota, use) => {
    expect(quotaUse(quota)).toEqual(use);
  });

  it.each([
    [12_000, "count", "12,000"],
    [1_536, "bytes", "1.5 KiB"],
    [3_072, "mebibytes", "3 GiB"],
  ] as const)("says %d %s in its unit", (amount, unit, text) => {
    expect(amountText(amount, unit)).toBe(text);
  });

  it.each([
    [0, "0 %"],
    [0.0004, "< 0.1 %"],
    [0.004, "0.4 %"],
    [0.256, "26 %"],
    [1.5, "150 %"],
  ])("says its share: %d", (share, text) => {
    expect(shareText(share)).toBe(text);
  });

  it("has the name of the API where the console knows none", () => {
    expect(quotaText("gpu_hours").name).toBe("gpu hours");
  });
});
