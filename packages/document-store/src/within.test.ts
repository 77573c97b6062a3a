import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { StoreTimeoutError } from "./errors.ts";
import { within } from "./within.ts";

function holdUp(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

/** An answer that takes several turns of the event loop. */
async function answerInTurns(): Promise<string> {
  for (let turn = 0; turn < 5; turn += 1) await delay(10);
  return "answered";
}

describe("a call with a time limit", () => {
  it("that answers nothing ends with the limit", async () => {
    const started = performance.now();
    await expect(within(() => new Promise(() => {}), { limitMs: 300 })).rejects.toThrow(StoreTimeoutError);
    expect(performance.now() - started).toBeGreaterThanOrEqual(290);
  });

  it("is not charged for time in which its own process was held up", async () => {
    const call = within(answerInTurns, { limitMs: 300 });
    holdUp(900);
    expect(await call).toBe("answered");
  });

  it("is told that it is slow once, after a third of the time, in each part that it gets", async () => {
    let told = 0;
    const slow = () => {
      told += 1;
    };
    let extensions = 0;
    const mayGoOn = () => {
      extensions += 1;
      return true;
    };
    await expect(within(() => new Promise(() => {}), { limitMs: 90, slow, mayGoOn })).rejects.toThrow(
      StoreTimeoutError,
    );
    expect([told, extensions]).toEqual([3, 2]);
  });
});
