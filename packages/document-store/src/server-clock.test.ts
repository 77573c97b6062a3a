import { describe, expect, it } from "vitest";
import { ServerClock } from "./server-clock.ts";

const hourMs = 3_600_000;
const noon = Date.UTC(2026, 0, 1, 12);

/** A replica whose system clock is ahead of the primary's, and a primary whose clock shows noon at the start. */
class Replica {
  #sinceStart = 0;
  aheadMs: number;
  readonly clock = new ServerClock({
    system: () => noon + this.#sinceStart + this.aheadMs,
    monotonic: () => 7_000 + this.#sinceStart,
  });

  constructor(aheadMs: number) {
    this.aheadMs = aheadMs;
  }

  wait(ms: number): void {
    this.#sinceStart += ms;
  }

  heartbeat(): void {
    this.clock.hear(new Date(noon + this.#sinceStart));
  }

  /** How far what it takes for the time is from the primary's. */
  get errorMs(): number {
    return this.clock.now().getTime() - noon - this.#sinceStart;
  }
}

describe("the time of a replica", () => {
  it.each([
    ["two hours ahead", 2 * hourMs, 0],
    ["ten minutes behind", -hourMs / 6, 0],
    ["right, but for the way of an answer", 40, 40],
    ["as wrong as it may be", 500, 500],
    ["a little more wrong than that", 501, 0],
  ])("whose clock is %s", (_, aheadMs, errorMs) => {
    const replica = new Replica(aheadMs);
    replica.heartbeat();
    expect(replica.errorMs).toBe(errorMs);
    replica.wait(1_500);
    expect(replica.errorMs).toBe(errorMs);
    expect(replica.clock.aheadMs).toBe(aheadMs);
  });

  it("stays right when its clock jumps between two heartbeats", () => {
    const replica = new Replica(0);
    replica.heartbeat();
    replica.wait(100);
    replica.aheadMs = -hourMs;
    expect(replica.errorMs).toBe(0);
  });

  it("is the system's before the first heartbeat", () => {
    const replica = new Replica(hourMs);
    expect(replica.errorMs).toBe(hourMs);
    expect(replica.clock.aheadMs).toBeUndefined();
  });
});
