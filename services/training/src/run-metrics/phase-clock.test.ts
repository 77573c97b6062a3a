import { describe, expect, it } from "vitest";
import { lengthWithout, PhaseClock, pausesBetween } from "./phase-clock.ts";

const at = (seconds: number) => new Date(seconds * 1000);

describe("the clock of a phase", () => {
  it("counts only while the phase runs", () => {
    const clock = new PhaseClock();
    clock.change("running", 1_000, []);
    clock.change("paused", 5_000, []);
    clock.change("running", 9_000, []);
    clock.change("completed", 10_000, []);
    expect(clock.elapsed(60_000, [])).toBe(5_000);
    expect([clock.startedAt, clock.finishedAt, clock.status]).toEqual([1_000, 10_000, "completed"]);
  });

  it("leaves out the time the job was paused even if its trainer said nothing", () => {
    const clock = new PhaseClock();
    clock.change("running", 0, []);
    expect(clock.elapsed(10_000, [{ from: 2_000, to: 5_000 }, { from: 9_000 }])).toBe(6_000);
  });

  it("opens again when the phase is entered again", () => {
    const clock = new PhaseClock();
    clock.change("running", 0, []);
    clock.change("completed", 1_000, []);
    clock.change("running", 5_000, []);
    expect([clock.startedAt, clock.enteredAt, clock.finishedAt]).toEqual([0, 5_000, undefined]);
    expect(clock.elapsed(6_000, [])).toBe(2_000);
  });

  it("counts the same after a thousand entries", () => {
    const clock = new PhaseClock();
    const pauses = [{ from: 3_000, to: 3_500 }];
    for (let entry = 0; entry < 1_000; entry++) {
      clock.change("running", entry * 2_000, pauses);
      clock.change("completed", entry * 2_000 + 1_000, pauses);
    }
    expect(clock.elapsed(5_000_000, pauses)).toBe(1_000_000);
    clock.change("running", 5_000_000, pauses);
    expect(clock.elapsed(5_000_500, pauses)).toBe(1_000_500);
  });
});

describe("pauses", () => {
  it("are the gaps between segments, and what follows the last that ended", () => {
    const segments = [
      { startedAt: at(0), endedAt: at(10) },
      { startedAt: at(30), endedAt: at(40) },
      { startedAt: at(40), endedAt: at(50) },
    ];
    expect(pausesBetween(segments)).toEqual([{ from: 10_000, to: 30_000 }, { from: 50_000 }]);
  });
  it("shorten a span by what they share with it", () => {
    expect(
      lengthWithout({ from: 0, to: 100 }, [
        { from: 10, to: 30 },
        { from: 90, to: 200 },
      ]),
    ).toBe(70);
  });
});
