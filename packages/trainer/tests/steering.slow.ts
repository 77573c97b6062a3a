import { existsSync } from "node:fs";
import { join } from "node:path";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { eventually } from "@aiplatform/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uninterrupted } from "./decay-workload.ts";
import { TrainerRig } from "./trainer-rig.ts";

let rig: TrainerRig;
beforeEach(async () => {
  rig = await TrainerRig.start();
});
afterEach(() => rig[Symbol.asyncDispose]());

/** Gives a command and waits for what the trainer says became of it. */
async function outcomeOf(wanted: Parameters<TrainerRig["platform"]["command"]>[0]) {
  const { platform } = rig;
  const id = platform.command(wanted);
  await eventually(() => platform.acknowledged(id).length > 0);
  const outcome = platform.acknowledged(id)[0]?.outcome;
  return outcome?.case === "applied"
    ? { case: outcome.case, ...outcome.value }
    : { case: "refused" as const, detail: outcome?.value?.detail };
}

const stepsOf = (segment: number) => rig.platform.curve("train_loss", segment).map(([step]) => step);

describe("a job that was never started", () => {
  it("is prepared, then runs, and reports phases and signs of life", async () => {
    await rig.train();
    await rig.reached(20);
    expect(rig.platform.states).toEqual([JobState.PREPARING, JobState.RUNNING]);
    expect(rig.platform.reports.some(({ phases }) => phases.length > 0)).toBe(true);
    await eventually(() => rig.platform.reports.some(({ resources }) => resources?.devices[0] === "cpu"));
    expect(rig.platform.curve("train_loss", 0)).toEqual(uninterrupted(stepsOf(0).at(-1) ?? 0));
  });
});

describe("a job that another machine has begun", () => {
  it("is trained under the overrides in force, also after a restart in between", async () => {
    rig.platform.overrides = { learning_rate: 0.25 };
    const first = await rig.train();
    await rig.reached(5);
    await first.stop();
    rig.platform.overrides = {};
    const from = stepsOf(0).at(-1) ?? 0;
    await rig.train();
    await rig.reached(from + 20);
    expect(new Set(rig.platform.curve("learning_rate", 0).map(([, value]) => value))).toEqual(new Set([0.25]));
  });
});

describe("a pause and a resume", () => {
  it("save, release the devices, and go on as if nothing had been", async () => {
    const { platform } = rig;
    await rig.train();
    await rig.reached(30);
    const paused = await outcomeOf({ action: Action.PAUSE });
    expect(paused).toMatchObject({
      case: "applied",
      checkpoint: { id: expect.any(String), sha256: expect.any(String) },
    });
    await eventually(() => platform.reports.at(-1)?.resources?.devices.length === 0);
    const lastStep = stepsOf(0).at(-1) ?? 0;

    const resumed = await outcomeOf({ action: Action.RESUME });
    expect(resumed).toMatchObject({ case: "applied", checkpointId: platform.checkpoints.at(-1)?.id });
    await rig.reached(lastStep + 60, 1);
    const curve = [...platform.curve("train_loss", 0), ...platform.curve("train_loss", 1)];
    expect(curve).toEqual(uninterrupted(curve.at(-1)?.[0] ?? 0));
  });
});

describe("a checkpoint that is pruned", () => {
  it("is deleted while it trains and after an outage, is not recorded again, and goes last where training goes on from it", async () => {
    const { platform } = rig;
    const path = (id: string) => join(rig.directory, "checkpoints", `${id}.checkpoint`);
    const trainer = await rig.train();
    await eventually(() => platform.checkpoints.length > 1);
    const [first, second] = platform.checkpoints;
    if (!first || !second) throw new Error("there are none");
    platform.prune(first);
    await eventually(() => !existsSync(path(first.id)));
    await platform.leave();
    platform.prune(second);
    await platform.start();
    await eventually(() => !existsSync(path(second.id)));
    await trainer.stop();
    const newest = platform.checkpoints.at(-1);
    expect(platform.checkpoints.filter(({ prunedAt }) => prunedAt)).toEqual([first, second]);
    platform.prune(newest ?? first);
    const known = platform.checkpoints.length;
    await rig.train();
    await eventually(() => platform.checkpoints.length > known && !existsSync(path(newest?.id ?? "")));
    expect(rig.lines.filter((line) => line.includes("failed"))).toEqual([]);
  });
});

describe("a rollback", () => {
  it("takes the same way again, in a new segment", async () => {
    const { platform } = rig;
    await rig.train();
    await eventually(() => platform.checkpoints.length > 0);
    await rig.reached(70);
    const [checkpoint] = platform.checkpoints;
    const rolledBack = await outcomeOf({ action: Action.ROLLBACK, checkpointId: checkpoint?.id ?? "" });
    expect(rolledBack).toMatchObject({ case: "applied", startStep: 40, checkpointId: checkpoint?.id });
    await rig.reached(80, 1);
    const expected = new Map(uninterrupted(Math.max(...stepsOf(1))));
    expect(stepsOf(1)[0]).toBe(41);
    for (const [step, loss] of platform.curve("train_loss", 1)) expect(loss).toBe(expected.get(step));
  });

  it("to a checkpoint that is not kept is refused, and training goes on", async () => {
    await rig.train();
    await rig.reached(20);
    const refused = await outcomeOf({ action: Action.ROLLBACK, checkpointId: "0190c0de-0000-7000-8000-000000000001" });
    expect(refused).toMatchObject({ case: "refused", detail: expect.stringContaining("no longer kept") });
    await rig.reached((stepsOf(0).at(-1) ?? 0) + 30);
    expect(rig.platform.curve("train_loss", 0)).toEqual(uninterrupted(stepsOf(0).at(-1) ?? 0));
  });
});

describe("overrides", () => {
  it("change the learning rate at once with a continue", async () => {
    await rig.train();
    await rig.reached(20);
    expect(await outcomeOf({ action: Action.CONTINUE, overrides: { learning_rate: 0 } })).toMatchObject({
      case: "applied",
    });
    await eventually(() => rig.platform.curve("learning_rate", 0).at(-1)?.[1] === 0);
  });

  it.each([
    [Action.CONTINUE, { batch_size: 4 }, "batch_size"],
    [Action.WARM_RESTART, JSON.parse('{"__proto__": 1}'), "__proto__"],
  ])(
    "of action %s with %j, which the trainer does not have, are refused, naming the key",
    async (action, overrides, key) => {
      await rig.train();
      await rig.reached(5);
      expect(await outcomeOf({ action, overrides })).toMatchObject({
        case: "refused",
        detail: expect.stringContaining(key),
      });
    },
  );

  it("come with a warm restart, which keeps the step, and stay after a pause", async () => {
    const { platform } = rig;
    await rig.train();
    await eventually(() => platform.checkpoints.length > 0);
    const checkpointId = platform.checkpoints[0]?.id ?? "";
    const restarted = await outcomeOf({ action: Action.WARM_RESTART, checkpointId, overrides: { learning_rate: 0.5 } });
    expect(restarted).toMatchObject({ case: "applied", startStep: 40 });
    await rig.reached(60, 1);
    await outcomeOf({ action: Action.PAUSE });
    await outcomeOf({ action: Action.RESUME });
    await rig.reached(80, 2);
    expect(platform.curve("learning_rate", 2).at(-1)?.[1]).toBe(0.5);
  });
});

describe("a fencing epoch lower than one seen", () => {
  it("has the command refused", async () => {
    await rig.train();
    await rig.reached(5);
    await outcomeOf({ action: Action.CONTINUE, epoch: 3 });
    expect(await outcomeOf({ action: Action.PAUSE, epoch: 2 })).toMatchObject({
      case: "refused",
      detail: expect.stringContaining("epoch"),
    });
  });
});

describe("an end by command", () => {
  it("of finishing publishes the checkpoint, and the trainer is done", async () => {
    const { platform } = rig;
    const trainer = await rig.train();
    await eventually(() => platform.checkpoints.length > 0);
    const finished = await outcomeOf({
      action: Action.FINISH_FROM_CHECKPOINT,
      checkpointId: platform.checkpoints[0]?.id ?? "",
    });
    expect(finished).toMatchObject({ case: "applied", artifact: { format: "json", sha256: expect.any(String) } });
    expect(finished.detail).toContain("file://");
    expect(await trainer.done).toBe("ended");
  });

  it("of aborting stops training and keeps the checkpoints", async () => {
    const trainer = await rig.train();
    await rig.reached(45);
    expect(await outcomeOf({ action: Action.ABORT })).toMatchObject({ case: "applied" });
    expect(await trainer.done).toBe("ended");
    expect(await (await rig.train()).done).toBe("ended");
  });
});

describe("an end by itself, when the schedule has run out", () => {
  it("publishes the best checkpoint as the job's result", async () => {
    const { platform } = rig;
    const trainer = await rig.train(60);
    expect(await trainer.done).toBe("ended");
    expect(platform.states.slice(-2)).toEqual([JobState.FINISHING, JobState.COMPLETED]);
    expect(platform.artifacts).toMatchObject([{ format: "json", metrics: { train_loss: expect.any(Number) } }]);
  });
});

describe("a command that the platform has decided otherwise meanwhile", () => {
  it.each([
    ["pause", Action.PAUSE],
    ["rollback", Action.ROLLBACK],
    ["finish", Action.FINISH_FROM_CHECKPOINT],
    ["abort", Action.ABORT],
    ["continue", Action.CONTINUE],
  ])("(%s) is undone: the curve is that of a run without it", async (_, action) => {
    const { platform } = rig;
    await rig.train();
    await eventually(() => platform.checkpoints.length > 0);
    await rig.reached(60);
    platform.answers = "COMMAND_RESOLVED";
    const overrides = action === Action.CONTINUE ? { learning_rate: 1 } : {};
    await outcomeOf({ action, checkpointId: platform.checkpoints[0]?.id ?? "", overrides });
    await rig.reached((stepsOf(0).at(-1) ?? 0) + 60);
    expect(platform.curve("train_loss", 0)).toEqual(uninterrupted(stepsOf(0).at(-1) ?? 0));
    expect(platform.curve("train_loss", 1)).toEqual([]);
  });
});

describe("a trainer that is replaced", () => {
  it("stops when it is told", async () => {
    const trainer = await rig.train();
    await rig.reached(5);
    rig.platform.detach();
    expect(await trainer.done).toBe("detached");
  });

  it("stops when its acknowledgement says so", async () => {
    const trainer = await rig.train();
    await rig.reached(5);
    rig.platform.answers = "ATTACHMENT_LOST";
    rig.platform.command({ action: Action.PAUSE });
    expect(await trainer.done).toBe("detached");
  });
});
