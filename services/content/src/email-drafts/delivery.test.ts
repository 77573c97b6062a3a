import { describe, expect, it } from "vitest";
import {
  type DeliveryEvent,
  DeliveryMoveError,
  type DeliveryState,
  ended,
  failureText,
  moved,
  statusAfter,
} from "./delivery.ts";

const states: DeliveryState[] = ["pending", "attempting", "handing_over", "sent", "failed", "skipped", "unknown"];
const events: DeliveryEvent[] = [
  "attempt",
  "hand_over",
  "keep",
  "accept",
  "refuse",
  "defer",
  "lose",
  "abandon",
  "give_up",
  "retry",
  "skip",
];

/** Every move there is; all others are refused. */
const table: [DeliveryState, DeliveryEvent, DeliveryState][] = [
  ["pending", "attempt", "attempting"],
  ["pending", "give_up", "failed"],
  ["attempting", "hand_over", "handing_over"],
  ["attempting", "keep", "pending"],
  ["attempting", "refuse", "failed"],
  ["attempting", "defer", "pending"],
  ["attempting", "lose", "pending"],
  ["attempting", "abandon", "pending"],
  ["handing_over", "keep", "pending"],
  ["handing_over", "accept", "sent"],
  ["handing_over", "refuse", "failed"],
  ["handing_over", "defer", "pending"],
  ["handing_over", "lose", "unknown"],
  ["handing_over", "abandon", "unknown"],
  ["failed", "retry", "pending"],
  ["failed", "skip", "skipped"],
];

describe("a delivery", () => {
  it.each(table)("that is %s goes on %s to %s", (from, event, to) => {
    expect(moved(from, event)).toBe(to);
  });

  it("goes nowhere else", () => {
    const known = new Set(table.map(([from, event]) => `${from} ${event}`));
    const others = states.flatMap((from) => events.map((event) => [from, event] as const));
    for (const [from, event] of others.filter((pair) => !known.has(pair.join(" ")))) {
      expect(() => moved(from, event)).toThrow(DeliveryMoveError);
    }
  });

  it("that the server may have is never tried again", () => {
    const reachable = new Set<DeliveryState>(["unknown", "sent"]);
    for (const from of reachable) expect(table.filter(([start]) => start === from)).toEqual([]);
    expect(ended).toEqual(["sent", "failed", "skipped", "unknown"]);
  });
});

describe("a draft whose deliveries have ended", () => {
  it.each([
    [{ sent: 3, failed: 0, skipped: 1, unknown: 0 }, "sent"],
    [{ sent: 0, failed: 0, skipped: 2, unknown: 0 }, "sent"],
    [{ sent: 1, failed: 1, skipped: 0, unknown: 0 }, "partially_sent"],
    [{ sent: 1, failed: 0, skipped: 0, unknown: 1 }, "partially_sent"],
    [{ sent: 0, failed: 1, skipped: 1, unknown: 0 }, "failed"],
    [{ sent: 0, failed: 0, skipped: 0, unknown: 2 }, "failed"],
  ] as const)("as %j is %s", (counts, status) => {
    expect(statusAfter(counts)).toBe(status);
  });
});

it("a failure names its kind first, and the server's code last", () => {
  expect(failureText("refused", 550)).toMatch(/^refused: .* \(550\)$/);
});
