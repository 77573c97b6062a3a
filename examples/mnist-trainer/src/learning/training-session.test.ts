import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeCheckpoint, encodeCheckpoint } from "./checkpoint-file.ts";
import { defaultHyperparameters } from "./hyperparameters.ts";
import { loadMnist, type Mnist } from "./mnist.ts";
import { TrainingSession } from "./training-session.ts";
import type { TrainingState } from "./training-state.ts";

const label = { id: "0190c0de-0000-7000-8000-000000000001", segmentIndex: 0, metrics: {}, createdAt: 0 };
const hyperparameters = { ...defaultHyperparameters, batchSize: 16 };
const bytes = (state: TrainingState) => createHash("sha256").update(encodeCheckpoint(label, state)).digest("hex");
const curve = (session: TrainingSession, steps: number) => Array.from({ length: steps }, () => session.takeStep().loss);

/** Through the bytes of a file, as a new process would read it. */
const throughFile = (state: TrainingState) => decodeCheckpoint("test", encodeCheckpoint(label, state)).state;

/** So few images that a pass through the data ends within the test. */
function fewImages(mnist: Mnist): Mnist {
  return {
    ...mnist,
    trainPixels: mnist.trainPixels.subarray(0, 784 * 1_000),
    trainLabels: mnist.trainLabels.subarray(0, 1_000),
  };
}

describe("a training session", () => {
  let data: Mnist;
  beforeAll(async () => {
    data = fewImages(await loadMnist());
  });

  it("repeats itself from the same seed, to the last bit", () => {
    const [one, other] = [TrainingSession.fresh(data, hyperparameters), TrainingSession.fresh(data, hyperparameters)];
    expect(curve(one, 100)).toEqual(curve(other, 100));
    expect(bytes(one.state())).toBe(bytes(other.state()));
  });

  it("goes on after a pause as if there had been none: same losses, same bytes", () => {
    const uninterrupted = TrainingSession.fresh(data, hyperparameters);
    const whole = curve(uninterrupted, 200);
    const paused = TrainingSession.fresh(data, hyperparameters);
    const before = curve(paused, 87);
    const resumed = TrainingSession.restore(data, throughFile(paused.state()));
    expect([...before, ...curve(resumed, 113)]).toEqual(whole);
    expect(bytes(resumed.state())).toBe(bytes(uninterrupted.state()));
  });

  it("takes the same way again after a rollback", () => {
    const session = TrainingSession.fresh(data, hyperparameters);
    curve(session, 40);
    const checkpoint = throughFile(session.state());
    const first = curve(session, 60);
    expect(curve(TrainingSession.restore(data, checkpoint), 60)).toEqual(first);
  });

  it("leaves a state that was taken as it is while it trains on", () => {
    const session = TrainingSession.fresh(data, hyperparameters);
    const state = session.state();
    const before = bytes(state);
    curve(session, 3);
    expect(bytes(state)).toBe(before);
  });

  it("keeps the weights, and nothing else, in a warm restart", () => {
    const session = TrainingSession.fresh(data, hyperparameters);
    curve(session, 80);
    const old = session.state();
    const warm = TrainingSession.warm(data, old, { ...hyperparameters, batchSize: 8 }).state();
    const fresh = TrainingSession.fresh(data, hyperparameters).state();
    expect(Buffer.from(warm.parameters.buffer).equals(Buffer.from(old.parameters.buffer))).toBe(true);
    expect(warm.velocity.every((speed) => speed === 0)).toBe(true);
    expect({ step: warm.step, scheduleStart: warm.scheduleStart, epoch: warm.epoch, offset: warm.offset }).toEqual({
      step: 80,
      scheduleStart: 80,
      epoch: 0,
      offset: 0,
    });
    expect(warm.random).not.toEqual(old.random);
    expect(new Set(warm.order).size).toBe(fresh.order.length);
    expect(warm.hyperparameters.batchSize).toBe(8);
  });

  it("learns: the accuracy climbs", async () => {
    const session = TrainingSession.fresh(data, { ...hyperparameters, batchSize: 32 });
    const before = await session.evaluate(1_000);
    curve(session, 200);
    const after = await session.evaluate(1_000);
    expect(before.accuracy).toBeLessThan(0.3);
    expect(after.accuracy).toBeGreaterThan(0.75);
    expect(after.loss).toBeLessThan(before.loss);
  });

  it("is complete when its schedule has run out", () => {
    const session = TrainingSession.fresh(data, { ...hyperparameters, plannedSteps: 2 });
    session.takeStep();
    expect(session.complete).toBe(false);
    session.takeStep();
    expect(session.complete).toBe(true);
  });
});
