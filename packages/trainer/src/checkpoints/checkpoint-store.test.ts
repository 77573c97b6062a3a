import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuid } from "uuid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CheckpointFileError, jsonCodec } from "./checkpoint-codec.ts";
import { CheckpointGoneError, CheckpointStore } from "./checkpoint-store.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "checkpoints-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const stateAt = (step: number) => ({ step, weights: [0.1, 5e-324, -1 / 3], note: "line\nbreak" });
const labelAt = (createdAt: number, accuracy?: number) => ({
  id: uuid(),
  segmentIndex: 3,
  metrics: accuracy === undefined ? {} : { test_accuracy: accuracy },
  createdAt,
});
const codec = jsonCodec<ReturnType<typeof stateAt>>();
const open = (maxCount = 100) => CheckpointStore.open({ directory, codec, maxCount, primaryMetric: "test_accuracy" });

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
