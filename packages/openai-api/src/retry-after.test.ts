import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const now = Date.parse("2026-03-02T09:00:00Z");

describe("how long an answer asks to wait", () => {
  it.each([
    ["120", 120_000],
    [" 5 ", 5_000],
    ["0", 0],
    ["Mon, 02 Mar 2026 09:00:30 GMT", 30_000],
    ["Mon, 02 Mar 2026 08:00:00 GMT", 0],
    ["", 0],
    ["soon", 0],
    ["-3", 0],
  ])("%j: %s ms", (text, ms) => {
    expect(retryAfterMs(text, now)).toBe(ms);
  });
});
