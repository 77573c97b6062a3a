import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { eventually } from "@aiplatform/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uninterrupted } from "./decay-workload.ts";
import { TrainerProcess } from "./trainer-process.ts";
import { TrainerRig } from "./trainer-rig.ts";

let rig: TrainerRig;
beforeEach(async () => {
  rig = await TrainerRig.start();
});
afterEach(() => rig[Symbol.asyncDispose]());

const main = join(import.meta.dirname, "decay-trainer.ts");
function start(): TrainerProcess {
  const { address, runId, jobName } = rig.platform;
  return new TrainerProcess(main, {
    ADDRESS: address,
    RUN_ID: runId,
    JOB_NAME: jobName,
    DATA_DIRECTORY: rig.directory,
  });
}
const lastStep = (segment = 0) => rig.platform.curve("train_loss", segment).at(-1)?.[0] ?? 0;
const checkpointFiles = async () => (await readdir(join(rig.directory, "checkpoints"))).length;

function positionIsWritten(): boolean {
  const path = join(rig.directory, "state.json");
  return existsSync(path) && JSON.parse(readFileSync(path, "utf8")).position.checkpointId !== null;
}

/** Every point of the segments, in the order they came, is that of a run that was never disturbed. */
async function expectUndisturbed(...segments: number[]): Promise<void> {
  const curve = segments.flatMap((segment) => rig.platform.curve("train_loss", segment));
  expect(curve).toEqual(uninterrupted(curve.at(-1)?.[0] ?? 0));
}

describe("a trainer process that is killed while it trains", () => {
  it("goes on, and every point is reported once", async () => {
    const first = start();
    await rig.reached(70);
    await first.kill();
    await using _second = start();
    await rig.reached(lastStep() + 80);
    await expectUndisturbed(0);
  });

  it("loses no point of the steps that it will not take again", async () => {
    const first = start();
    // Killed in the moment in which it has written from where it would go on.
    while (!positionIsWritten()) await setImmediate();
    await first.kill();
    await using _second = start();
    await rig.reached(lastStep() + 80);
    await expectUndisturbed(0);
  });
});

describe("a trainer process that is killed between an effect and its acknowledgement", () => {
  it("acknowledges the same pause again, with the same checkpoint", async () => {
    const { platform } = rig;
    const first = start();
    await rig.reached(50);
    platform.answers = "never";
    const id = platform.command({ action: Action.PAUSE });
    await eventually(() => platform.acknowledged(id).length > 0);
    await first.kill();
    platform.answers = "recorded";
    await using _second = start();
    await eventually(() => platform.acknowledged(id).length > 1);
    const [one, again] = platform.acknowledged(id);
    expect(again?.outcome).toEqual(one?.outcome);
    expect(again?.attachmentId).toBe(one?.attachmentId);
    const resume = platform.command({ action: Action.RESUME });
    await eventually(() => platform.acknowledged(resume).length > 0);
    await rig.reached(lastStep() + 50, 1);
    await expectUndisturbed(0, 1);
  });

  it("rolls back once, whatever the platform has heard of it", async () => {
    const { platform } = rig;
    const first = start();
    await eventually(() => platform.checkpoints.length > 0);
    await rig.reached(60);
    platform.answers = "never";
    const id = platform.command({ action: Action.ROLLBACK, checkpointId: platform.checkpoints[0]?.id ?? "" });
    await eventually(() => platform.acknowledged(id).length > 0);
    await first.kill();
    platform.answers = "recorded";
    await using _second = start();
    await rig.reached(100, 1);
    expect(new Set(platform.acknowledged(id).map(({ outcome }) => JSON.stringify(outcome))).size).toBe(1);
    const expected = uninterrupted(lastStep(1));
    expect(platform.curve("train_loss", 1)).toEqual(expected.filter(([step]) => step > 40));
  });
});

describe("a trainer process that is told to stop", () => {
  it("saves and ends within seconds, and its successor goes on from there", async () => {
    const first = start();
    await rig.reached(53);
    const asked = Date.now();
    expect(await first.terminate()).toBe(0);
    expect(Date.now() - asked).toBeLessThan(5_000);
    await using _second = start();
    await rig.reached(lastStep() + 60);
    await expectUndisturbed(0);
  });
});

describe("a second process on the same directory", () => {
  it("is refused in one sentence", async () => {
    await using _first = start();
    await rig.reached(5);
    const second = start();
    expect(await second.ended()).toBe(1);
    expect(second.complaints).toMatch(/^Cannot start: .* is in use by process \d+\n$/);
  });
});

describe("a platform that goes away and comes back", () => {
  it("finds the whole curve, no point missing and none twice", async () => {
    await rig.train();
    await rig.reached(20);
    await rig.platform.leave();
    const before = await checkpointFiles();
    while ((await checkpointFiles()) < before + 3) await setTimeout(20);
    await rig.platform.start();
    await rig.reached(lastStep() + 120);
    await expectUndisturbed(0);
    await eventually(() => rig.platform.checkpoints.length >= before + 3);
  });

  it("gets the acknowledgement of what was done meanwhile", async () => {
    const { platform } = rig;
    await rig.train();
    await rig.reached(20);
    platform.answers = "never";
    const id = platform.command({ action: Action.PAUSE });
    await eventually(() => platform.acknowledged(id).length > 0);
    await platform.leave();
    platform.answers = "recorded";
    await platform.start();
    await eventually(() => platform.acknowledged(id).length > 1);
    await eventually(() => platform.reports.at(-1)?.resources?.devices.length === 0);
  });
});
