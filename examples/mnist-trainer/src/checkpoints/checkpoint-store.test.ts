import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { v7 as uuid } from "uuid";
import { defaultHyperparameters } from "../learning/hyperparameters.ts";
import type { TrainingState } from "../learning/training-state.ts";
import { CheckpointFileError } from "./checkpoint-file.ts";
import { CheckpointGoneError, CheckpointStore } from "./checkpoint-store.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "checkpoints-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const stateAt = (step: number): TrainingState => ({
  hyperparameters: defaultHyperparameters,
  step,
  scheduleStart: 0,
  epoch: 1,
  offset: 7,
  window: { steps: 1, loss: 0.1, accuracy: 1 },
  order: Uint32Array.of(2, 0, 1),
  random: Uint32Array.of(1, 2, 3, 4_294_967_295),
  parameters: Float32Array.of(0.1, -0, Number.POSITIVE_INFINITY, Number.NaN),
  velocity: Float32Array.of(1e-45, 3.4e38),
});
const labelAt = (createdAt: number, accuracy?: number) => ({
  id: uuid(),
  segmentIndex: 3,
  metrics: accuracy === undefined ? {} : { test_accuracy: accuracy },
  createdAt,
});
const open = (keep = 100) => CheckpointStore.open({ directory, keep, primaryMetric: "test_accuracy" });

describe("the checkpoint store", () => {
  it("gives back every bit of what was saved, to another process too", async () => {
    const { id } = await (await open()).save(labelAt(1), stateAt(5), []);
    const again = await open();
    expect(await again.load(id)).toEqual(stateAt(5));
    expect(again.list()).toMatchObject([{ id, step: 5, segmentIndex: 3, createdAt: 1 }]);
  });

  it("refuses a damaged file, naming it, whichever byte is wrong", async () => {
    const store = await open();
    const { id } = await store.save(labelAt(1), stateAt(5), []);
    const path = join(directory, `${id}.checkpoint`);
    const intact = await readFile(path);
    for (const at of [0, 9, 40, intact.length - 40, intact.length - 1]) {
      const damaged = Buffer.from(intact);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      await writeFile(path, damaged);
      await expect(store.load(id)).rejects.toThrow(CheckpointFileError);
    }
    await writeFile(path, intact.subarray(0, 100));
    await expect(store.load(id)).rejects.toThrow(path);
    expect((await open()).damaged).toHaveLength(1);
  });

  it("says that a checkpoint is not kept", async () => {
    await expect((await open()).load(uuid())).rejects.toThrow(CheckpointGoneError);
  });

  it("keeps the newest, the best and the pinned ones, and deletes the others", async () => {
    const store = await open(2);
    const pinned = await store.save(labelAt(1), stateAt(1), []);
    const best = await store.save(labelAt(2, 0.9), stateAt(2), [pinned.id]);
    for (let step = 3; step < 8; step++) await store.save(labelAt(step, 0.5), stateAt(step), [pinned.id]);
    expect(store.list().map(({ step }) => step)).toEqual([1, 2, 6, 7]);
    expect(store.best()).toEqual(best);
    expect(await readdir(directory)).toHaveLength(4);
  });

  it("clears away what a crash left half-written", async () => {
    await writeFile(join(directory, `${uuid()}.checkpoint.new`), "half");
    expect((await open()).list()).toEqual([]);
    expect(await readdir(directory)).toEqual([]);
  });
});
