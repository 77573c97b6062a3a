import { describe, expect, it } from "vitest";
import { afterPass, type Purge } from "./purge-state.ts";

const times = { settleMs: 60, redeliverableMs: 1_000 };
const deletedAt = new Date(5_000);
const at = (ms: number) => new Date(deletedAt.getTime() + ms);

describe("a purge", () => {
  it.each<[Purge["state"], number, Purge["state"], number | undefined]>([
    ["purging", 0, "purging", 60],
    ["purging", 59, "purging", 60],
    ["purging", 60, "purged", 1_000],
    ["purging", 999, "purged", 1_000],
    ["purging", 1_000, "settled", undefined],
    ["purged", 999, "purged", 1_000],
    ["purged", 1_000, "settled", undefined],
    ["settled", 2_000, "settled", undefined],
  ])("that is %s is, after a pass that began %i ms after the deletion, %s", (state, beganMs, next, dueMs) => {
    const expected = dueMs === undefined ? { state: next } : { state: next, dueAt: at(dueMs) };
    expect(afterPass({ state, deletedAt }, at(beganMs), times)).toEqual(expected);
  });
});
