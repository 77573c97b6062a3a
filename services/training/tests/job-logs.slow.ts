import { randomUUID } from "node:crypto";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as Status,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { until } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { newJob, runningJob, send, TestTrainer, TrainingRig } from "./training-rig.ts";

describe("a job's log of many entries", () => {
  it("is folded from a snapshot and what came after, to the same", async () => {
    await using rig = await TrainingRig.start({ replicas: 2 });
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const sent = await Promise.all(Array.from({ length: 700 }, () => send(clients, job, Action.RESUME)));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([Status.APPLIED]));
    await send(clients, job, Action.PAUSE);
    const snapshots = rig.store.database.collection<{ _id: string; position: number }>("job_snapshots");
    const snapshot = await until(async () => (await snapshots.findOne({})) ?? undefined, {
      withinMs: 10_000,
      otherwise: () => new Error("no snapshot was stored"),
    });
    expect(snapshot.position).toBeGreaterThanOrEqual(256);
    // The other replica has not seen the job: it starts from the snapshot.
    const other = rig.as({}, 1);
    expect((await send(other, job, Action.CONTINUE)).detail).toBe("not possible while paused");
    const [here, there] = await Promise.all([clients, other].map(({ runs }) => runs.getRun({ runId: job.runId })));
    expect(there).toEqual(here);
    expect(here?.run?.jobs[0]).toMatchObject({ lastSequence: 702, state: JobState.RUNNING });
  });

  it("is listed page by page, and by status", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as();
    const job = await newJob(clients);
    for (const action of [Action.PAUSE, Action.CONTINUE, Action.RESUME, Action.ABORT]) await send(clients, job, action);
    const list = async (rest: { afterSequence?: bigint; limit?: number; status?: Status }) => {
      const { commands } = await clients.commands.listControlCommands({ ...job, ...rest });
      return commands.map(({ sequence }) => sequence);
    };
    expect(await list({})).toEqual([1, 2, 3, 4]);
    expect(await list({ afterSequence: 1n, limit: 2 })).toEqual([2, 3]);
    expect(await list({ status: Status.PENDING })).toEqual([4]);
    expect(await list({ status: Status.REJECTED, limit: 2 })).toEqual([1, 2]);
    expect(await list({ afterSequence: 4n })).toEqual([]);
  });
});

describe("replicas without NATS", () => {
  it("learn of one another's entries by looking, and deliver commands", async () => {
    const settings = { NATS_URL: "nats://127.0.0.1:1", LOG_CHECK_INTERVAL_MS: "20" };
    await using rig = await TrainingRig.start({ replicas: 2, settings });
    const clients = rig.as();
    const job = await newJob(clients);
    await using trainer = await new TestTrainer(clients, job).attach();
    const command = await send(rig.as({}, 1), job, Action.PAUSE);
    expect((await trainer.delivered(1)).command?.id).toBe(command.id);
    const waiting = rig.as({}, 1).commands.getControlCommand({ ...job, commandId: command.id, waitSeconds: 30 });
    await trainer.applied(command.id);
    expect((await waiting).command?.status).toBe(Status.APPLIED);
  });
});

describe("previewing a command", () => {
  it("says what would come of it, and changes nothing", async () => {
    await using rig = await TrainingRig.start();
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const [early, late] = [randomUUID(), randomUUID()];
    await trainer.checkpoint({ id: early, step: 10 });
    await trainer.checkpoint({ id: late, step: 30 });
    const preview = async (action: Action, checkpointId?: string) => {
      const request = { ...job, action, ...(checkpointId ? { checkpointId } : {}) };
      return (await clients.commands.previewControlCommand(request)).preview;
    };
    expect(await preview(Action.ROLLBACK, early)).toMatchObject({
      accepted: true,
      projectedState: "running",
      resultingState: "running",
      checkpointId: early,
      discardedSteps: 20,
    });
    await send(clients, job, Action.PAUSE);
    expect(await preview(Action.CONTINUE)).toMatchObject({ accepted: false, detail: "not possible while paused" });
    expect(await preview(Action.ABORT)).toMatchObject({
      accepted: true,
      resultingState: "aborted",
      supersededSequences: [1],
    });
    expect((await clients.commands.listControlCommands(job)).commands).toHaveLength(1);
  });
});
