import { randomUUID } from "node:crypto";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as Status,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { eventually } from "@aiplatform/testkit";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, runningJob, send, type TestTrainer, TrainingRig } from "./training-rig.ts";

/** Ahead of the time, by so much. */
let aheadMs = 0;
let rig: TrainingRig;
beforeAll(async () => {
  const clock = () => new Date(Date.now() + aheadMs);
  rig = await TrainingRig.start({ replicas: 2, clock, settings: { SWEEP_INTERVAL_MS: "20" } });
});
afterAll(() => rig[Symbol.asyncDispose]());

const hour = 3_600;

/** A job that its trainer has paused, for an hour or as long as asked. */
async function pausedJob(at = rig, resumeAfterSeconds = hour) {
  const running = await runningJob(at);
  const { clients, job, trainer } = running;
  const wanted = { ...job, resumeAfterSeconds, idempotencyKey: randomUUID() };
  const { pause } = await clients.commands.pauseJob(wanted);
  await trainer.delivered(1);
  await applyPause(trainer, pause?.command?.id);
  return { ...running, wanted, pause };
}

async function applyPause(trainer: TestTrainer, commandId = ""): Promise<void> {
  const checkpointId = randomUUID();
  await trainer.checkpoint({ id: checkpointId, step: 5 });
  await trainer.applied(commandId, { checkpointId });
}

const actionsOf = async (paused: Pick<Awaited<ReturnType<typeof pausedJob>>, "clients" | "job">) =>
  (await paused.clients.commands.listControlCommands(paused.job)).commands.map(({ action }) => action);

/** Moves the time, and resolves when a pause has ended that is due after all those of before: sweeps go by when jobs are due. */
async function sweptAt(ms: number): Promise<void> {
  const { clients, job, trainer } = await runningJob(rig);
  await using _ = trainer;
  const { pause } = await clients.commands.pauseJob({
    ...job,
    resumeAfterSeconds: 1.5 * hour,
    idempotencyKey: randomUUID(),
  });
  await trainer.delivered(1);
  await applyPause(trainer, pause?.command?.id);
  aheadMs += ms;
  await trainer.delivered(2);
}

describe("a pause with an end", () => {
  it("is answered with its end, and a repeat gets the same", async () => {
    const paused = await pausedJob();
    await using _ = paused.trainer;
    const { pause, wanted, clients, job } = paused;
    const lastsMs = dateOf(pause?.resumeAt) - dateOf(pause?.command?.createdAt);
    expect([pause?.command?.status, lastsMs]).toEqual([Status.PENDING, hour * 1_000]);
    const again = await clients.commands.pauseJob(wanted);
    expect([again.pause?.command?.id, again.pause?.resumeAt]).toEqual([pause?.command?.id, pause?.resumeAt]);
    const other = clients.commands.pauseJob({ ...wanted, resumeAfterSeconds: 2 * hour });
    expect((await failureOf(other)).code).toBe(Code.InvalidArgument);
    expect(await actionsOf({ clients, job })).toEqual([Action.PAUSE]);
  });

  it("ends once at that time, whichever of the replicas sees it first", async () => {
    const paused = await pausedJob();
    await using _ = paused.trainer;
    aheadMs += hour * 1_000;
    const { command } = await paused.trainer.delivered(2);
    expect(command).toMatchObject({ action: Action.RESUME, sequence: 2 });
    await paused.trainer.applied(command?.id ?? "", { startStep: 5 });
    await sweptAt(2 * hour * 1_000);
    expect(await actionsOf(paused)).toEqual([Action.PAUSE, Action.RESUME]);
  });

  it.each([
    ["a resume", Action.RESUME],
    ["an abort", Action.ABORT],
    ["a pause without an end", Action.PAUSE],
  ])("does not end by itself after %s", async (_what, action) => {
    const paused = await pausedJob();
    await using _ = paused.trainer;
    await send(paused.clients, paused.job, action);
    await sweptAt(2 * hour * 1_000);
    expect(await actionsOf(paused)).toEqual([Action.PAUSE, action]);
  });

  it("gets another end by another pause of the paused job", async () => {
    const paused = await pausedJob();
    await using _ = paused.trainer;
    const later = { ...paused.wanted, resumeAfterSeconds: 3 * hour, idempotencyKey: randomUUID() };
    const { pause } = await paused.clients.commands.pauseJob(later);
    expect(pause?.command).toMatchObject({ status: Status.APPLIED, detail: "already paused" });
    await sweptAt(2 * hour * 1_000);
    expect(await actionsOf(paused)).toEqual([Action.PAUSE, Action.PAUSE]);
    aheadMs += hour * 1_000;
    expect((await paused.trainer.delivered(3)).command?.action).toBe(Action.RESUME);
  });

  it("refuses two ends, and one that is more than a year away", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const wanted = { ...job, idempotencyKey: randomUUID() };
    const until = (days: number) => timestampFromDate(new Date(Date.now() + aheadMs + days * 86_400_000));
    const twice = clients.commands.pauseJob({ ...wanted, until: until(1), resumeAfterSeconds: 1 });
    expect((await failureOf(twice)).rawMessage).toBe("until: must not be given with resume_after_seconds");
    const far = clients.commands.pauseJob({ ...wanted, until: until(400) });
    expect((await failureOf(far)).rawMessage).toBe("until: must be at most a year from now");
    const tomorrow = until(1);
    const { pause } = await clients.commands.pauseJob({ ...wanted, until: tomorrow });
    expect(pause?.resumeAt).toEqual(tomorrow);
  });
});

describe("a pause with an end whose service has stopped meanwhile", () => {
  it("ends when another process takes the job over", async () => {
    await using own = await TrainingRig.start();
    const paused = await pausedJob(own, 1);
    await using _ = paused.trainer;
    await Promise.all(own.services.map((service) => service.stop()));
    await using other = await own.startAnother();
    const actions = () => actionsOf({ clients: other.clients, job: paused.job });
    await eventually(async () => (await actions()).length === 2, "the resume");
    expect(await actions()).toEqual([Action.PAUSE, Action.RESUME]);
  });
});

function dateOf(time: Timestamp | undefined): number {
  return time ? timestampDate(time).getTime() : Number.NaN;
}
