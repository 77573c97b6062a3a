import { describe, expect, it } from "vitest";
import { MetricsRig } from "./metrics-rig.ts";
import { TrainingRig } from "./training-rig.ts";

/** Time that passes only when a test says so. */
class Clock {
  #now = Date.UTC(2026, 0, 1);
  readonly now = () => new Date(this.#now);

  pass(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

describe("a running job that falls silent", () => {
  const timeouts = { stallTimeoutSeconds: 30, heartbeatTimeoutSeconds: 60 };

  it("is stalled after its stall timeout, lost after its heartbeat timeout, and running once it goes on", async () => {
    const clock = new Clock();
    await using rig = await TrainingRig.start({ clock: clock.now });
    await using metrics = await MetricsRig.start(rig, timeouts);
    await metrics.report([metrics.batch([[1, 1]])]);
    const statusAfter = async (seconds: number) => {
      clock.pass(seconds);
      return (await metrics.read()).status;
    };
    expect(await statusAfter(30)).toBe("running");
    expect(await statusAfter(1)).toBe("stalled");
    expect(await statusAfter(29)).toBe("stalled");
    expect(await statusAfter(1)).toBe("lost");
    await metrics.report([metrics.batch([[2, 1]])]);
    expect(await statusAfter(0)).toBe("running");
  });

  it("is stalled, not lost, while it reports without progress", async () => {
    const clock = new Clock();
    await using rig = await TrainingRig.start({ clock: clock.now });
    await using metrics = await MetricsRig.start(rig, timeouts);
    await metrics.report([metrics.batch([[1, 1]])]);
    clock.pass(61);
    await metrics.report([metrics.batch([[1, 1]], { heartbeat: { source: 1 } })]);
    expect((await metrics.read()).status).toBe("stalled");
  });
});
