import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetricsRig, seriesOf } from "./metrics-rig.ts";
import { TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start({ replicas: 2 });
});
afterAll(() => rig[Symbol.asyncDispose]());

describe("a reader who waits", () => {
  it("is answered as soon as there is something newer, at the other replica too", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([metrics.batch([[1, 1]])]);
    await metrics.readUntil(({ sequence }) => sequence === 1, {}, 1);
    for (const replica of [0, 1]) {
      const { sequence } = await metrics.read({}, replica);
      const startedAt = performance.now();
      const waiting = metrics.read({ afterSequence: BigInt(sequence), waitSeconds: 20 }, replica);
      await metrics.report([metrics.batch([[2 + replica, 2]])]);
      expect((await waiting).sequence).toBe(sequence + 1);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    }
  });

  it("is answered with what there is when the time is over", async () => {
    await using metrics = await MetricsRig.start(rig);
    const startedAt = performance.now();
    expect((await metrics.read({ afterSequence: 0n, waitSeconds: 1 })).sequence).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  it("is answered within the deadline of the call, also when the wait is longer", async () => {
    await using metrics = await MetricsRig.start(rig);
    const wait = { ...metrics.job, afterSequence: 0n, waitSeconds: 30 };
    const answer = await metrics.reader(0).getRunMetrics(wait, { timeoutMs: 1_500 });
    expect(answer.metrics?.sequence).toBe(0);
  });
});

describe("a watcher", () => {
  it("sees the whole first and then each change, points only once", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([metrics.batch([[1, 1]])]);
    const end = new AbortController();
    const events = metrics.watch({}, end.signal, 1);
    const seen: number[] = [];
    const readUntilStep = async (step: number) => {
      while (!seen.includes(step)) {
        const { value } = await events.next();
        seen.push(...(seriesOf(value?.metrics)["loss"]?.steps ?? []));
      }
    };
    await readUntilStep(1);
    for (let step = 2; step < 6; step++) {
      await metrics.report([metrics.batch([[step, 1]])]);
      await readUntilStep(step);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    end.abort();
  });

  it("goes on after the event it had last", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.report([metrics.batch([[1, 1]]), metrics.batch([[2, 2]])]);
    const end = new AbortController();
    const first = async (lastEventId: string) => {
      const { value } = await metrics.watch({ lastEventId }, end.signal).next();
      return seriesOf(value?.metrics)["loss"]?.steps ?? [];
    };
    expect(await first("1")).toEqual([2]);
    expect(await first("2")).toEqual([]);
    expect(await first("99")).toEqual([1, 2]);
    expect(await first("nonsense")).toEqual([1, 2]);
    end.abort();
  });

  it("is told of a new state without a new point", async () => {
    await using metrics = await MetricsRig.start(rig);
    const end = new AbortController();
    const events = metrics.watch({}, end.signal, 1);
    const statuses: string[] = [];
    const until = async (status: string) => {
      while (statuses.at(-1) !== status) statuses.push((await events.next()).value?.metrics.status);
    };
    await until("running");
    await metrics.trainer.report(JobState.HELD);
    await until("held");
    end.abort();
  });
});
