import { randomUUID } from "node:crypto";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as Status,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState, OverrideClass, OverrideType } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, newJob, runningJob, send, TestTrainer, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start({ replicas: 2 });
});
afterAll(() => rig[Symbol.asyncDispose]());

function reasonOf(error: ConnectError): string | undefined {
  return error.findDetails(ErrorInfoSchema)[0]?.reason;
}

describe("acknowledging a command", () => {
  it("applies pause, resume, rollback and finish, and opens a segment for each restoring", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const early = randomUUID();
    const saved = randomUUID();
    await trainer.checkpoint({ id: early, step: 10 });

    const pause = await send(clients, job, Action.PAUSE);
    await trainer.report(JobState.PAUSING);
    const paused = await trainer.applied(pause.id, { checkpointId: saved, checkpoint: { id: saved, step: 20 } });
    expect(paused).toMatchObject({ state: JobState.PAUSED, command: { status: Status.APPLIED, checkpointId: saved } });

    const resume = await send(clients, job, Action.RESUME);
    expect(await trainer.delivered(2)).toMatchObject({ resolvedCheckpointId: saved });
    const resumed = await trainer.applied(resume.id, { startStep: 20 });
    expect(resumed).toMatchObject({ state: JobState.RUNNING, activeSegment: 1, command: { checkpointId: saved } });

    const rollback = await send(clients, job, Action.ROLLBACK, { checkpointId: early });
    await trainer.report(JobState.RESTORING);
    const rolledBack = await trainer.applied(rollback.id, { checkpointId: early, startStep: 10 });
    expect(rolledBack).toMatchObject({ state: JobState.RUNNING, activeSegment: 2, command: { checkpointId: early } });

    const finish = await send(clients, job, Action.FINISH_FROM_CHECKPOINT);
    const artifact = { uri: "file:///model.onnx", sha256: "0".repeat(64), sizeBytes: 1n, format: "onnx" };
    const finished = await trainer.applied(finish.id, { checkpointId: early, artifact });
    expect(finished).toMatchObject({ state: JobState.COMPLETED, command: { status: Status.APPLIED } });
  });

  it("answers a repeat the same, and refuses a different outcome", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const command = await send(clients, job, Action.CONTINUE);
    const first = await trainer.applied(command.id);
    expect(await trainer.applied(command.id)).toEqual(first);
    expect(reasonOf(await failureOf(trainer.refused(command.id, "no")))).toBe("COMMAND_RESOLVED");
  });

  it("takes commands in the order of their sequences only", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    await send(clients, job, Action.CONTINUE);
    const second = await send(clients, job, Action.CONTINUE);
    expect(reasonOf(await failureOf(trainer.applied(second.id)))).toBe("COMMAND_OUT_OF_ORDER");
  });

  it("goes back to the state before when the trainer refuses, and judges what waits behind again", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const pause = await send(clients, job, Action.PAUSE);
    await send(clients, job, Action.RESUME);
    await trainer.report(JobState.PAUSING);
    const refused = await trainer.refused(pause.id, "the disk is full");
    expect(refused).toMatchObject({
      state: JobState.RUNNING,
      command: { status: Status.REJECTED, detail: "the disk is full" },
    });
    const { commands } = await clients.commands.listControlCommands(job);
    expect(commands[1]).toMatchObject({ status: Status.APPLIED, detail: "already running" });
  });

  it("rejects what is pending when the job ends, naming the end", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const pending = await send(clients, job, Action.CONTINUE);
    await trainer.report(JobState.FAILED);
    const { command } = await clients.commands.getControlCommand({ ...job, commandId: pending.id });
    expect(command).toMatchObject({ status: Status.REJECTED, detail: "job failed" });
    expect(reasonOf(await failureOf(trainer.applied(pending.id)))).toBe("COMMAND_RESOLVED");
    await trainer.until(({ events }) => events.some(({ case: kind }) => kind === "withdrawal"));
  });

  it("refuses a move that the table does not have", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const pause = await send(clients, job, Action.PAUSE);
    const saved = randomUUID();
    await trainer.applied(pause.id, { checkpointId: saved, checkpoint: { id: saved, step: 1 } });
    expect(reasonOf(await failureOf(trainer.report(JobState.RUNNING)))).toBe("ILLEGAL_MOVE");
  });
});

describe("attaching", () => {
  it("delivers what is pending in order, then each new command, and not what was finished with", async () => {
    const clients = rig.as();
    const job = await newJob(clients);
    await using first = await new TestTrainer(clients, job).attach();
    await first.report(JobState.RUNNING);
    for (const _ of [1, 2, 3]) await send(clients, job, Action.CONTINUE);
    // On the other replica, which has not seen the job yet.
    await using second = await new TestTrainer(rig.as({}, 1), job).attach({ lastSequence: 1 });
    await first.until(({ events }) => events.some(({ case: kind }) => kind === "detached"));
    await send(clients, job, Action.CONTINUE);
    await second.delivered(4);
    expect(second.deliveries.map(({ command }) => command?.sequence)).toEqual([2, 3, 4]);
    expect(reasonOf(await failureOf(first.report(JobState.HELD)))).toBe("ATTACHMENT_LOST");
  });

  it("tells a process that was replaced to stop, however often it comes back", async () => {
    const clients = rig.as();
    const job = await newJob(clients);
    await using first = await new TestTrainer(clients, job).attach();
    await using second = await new TestTrainer(clients, job).attach();
    await using again = await new TestTrainer(clients, job, first.attachmentId).attach();
    expect(again.events).toMatchObject([{ case: "detached", value: { attachmentId: second.attachmentId } }]);
  });

  it("resumes under the same id", async () => {
    const clients = rig.as();
    const job = await newJob(clients);
    await using first = await new TestTrainer(clients, job).attach();
    await using again = await new TestTrainer(clients, job, first.attachmentId).attach();
    expect(again.events[0]?.case).toBe("attached");
    await again.report(JobState.RUNNING);
    expect(first.events.map((event) => event.case)).not.toContain("detached");
  });

  it("withdraws what an abort supersedes, and delivers the abort", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    await send(clients, job, Action.CONTINUE);
    await trainer.delivered(1);
    const abort = await send(clients, job, Action.ABORT);
    await trainer.delivered(2);
    expect(trainer.events.at(-2)).toMatchObject({
      case: "withdrawal",
      value: { sequence: 1, detail: "superseded by sequence 2" },
    });
    expect(await trainer.applied(abort.id)).toMatchObject({ state: JobState.ABORTED });
  });

  it("is told to reconnect when the replica drains", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as();
    const trainer = await new TestTrainer(clients, await newJob(clients)).attach();
    await rig.services[0]?.stop();
    expect(trainer.events.at(-1)?.case).toBe("reconnect");
    await trainer[Symbol.asyncDispose]();
  });
});

describe("waiting for a command", () => {
  it("answers as soon as it is decided, on another replica as well", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const { id: commandId } = await send(clients, job, Action.CONTINUE);
    const waits = [0, 1].map((replica) =>
      rig.as({}, replica).commands.getControlCommand({ ...job, commandId, waitSeconds: 30 }),
    );
    await trainer.applied(commandId);
    for (const { command } of await Promise.all(waits)) expect(command?.status).toBe(Status.APPLIED);
  });

  it("answers with the pending command within the deadline of the call, also when the wait is longer", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const { id: commandId } = await send(clients, job, Action.CONTINUE);
    const wait = { ...job, commandId, waitSeconds: 30 };
    const { command } = await clients.commands.getControlCommand(wait, { timeoutMs: 1_500 });
    expect(command?.status).toBe(Status.PENDING);
  });

  it("watches each recording and each outcome, and goes on after an event", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const first = await send(clients, job, Action.CONTINUE);
    await trainer.applied(first.id);
    const watch = async (wanted: number, lastEventId?: string) => {
      const ended = new AbortController();
      const seen: { position: number; status: Status | undefined }[] = [];
      const request = { ...job, ...(lastEventId ? { lastEventId } : {}) };
      for await (const { position, command } of clients.commands.watchControlCommands(request, {
        signal: ended.signal,
      })) {
        seen.push({ position, status: command?.status });
        if (seen.length === wanted) break;
      }
      ended.abort();
      return seen;
    };
    const seen = await watch(2);
    expect(seen.map(({ status }) => status)).toEqual([Status.PENDING, Status.APPLIED]);
    const rest = watch(2, String(seen.at(-1)?.position));
    const second = await send(clients, job, Action.CONTINUE);
    await trainer.refused(second.id, "no");
    expect((await rest).map(({ status }) => status)).toEqual([Status.PENDING, Status.REJECTED]);
  });
});

describe("a trainer that starts again with nothing of its own", () => {
  it("is told the overrides in force, with and without a stream, also when no memory of the job is left", async () => {
    await using rig = await TrainingRig.start({ replicas: 2 });
    const keys = ["learning_rate", "batch_size"];
    const overrides = keys.map((key) => ({ key, type: OverrideType.NUMBER, class: OverrideClass.HOT }));
    const { clients, job, trainer } = await runningJob(rig, { overrides });
    await using _ = trainer;
    const kept = randomUUID();
    const command = async (action: Action, text: string, used: { checkpointId?: string } = {}) => {
      const { id } = await send(clients, job, action, { ...used, runtimeOverrides: { text } });
      await trainer.applied(id, used);
    };
    await command(Action.CONTINUE, '{"learning_rate": 0.010}');
    await trainer.checkpoint({ id: kept, step: 10 });
    await command(Action.CONTINUE, '{"learning_rate": 0.5}');
    await command(Action.ROLLBACK, '{"batch_size": 64}', { checkpointId: kept });

    const told: (string | undefined)[] = [];
    for (const replica of [0, 1]) {
      await using again = new TestTrainer(rig.as({}, replica), job);
      told.push((await again.attach()).attached?.overrides?.text);
      const attachmentId = randomUUID();
      told.push((await rig.as({}, replica).trainers.takeJob({ ...job, attachmentId })).overrides?.text);
    }
    expect(told).toEqual(Array(4).fill('{"batch_size":64,"learning_rate":0.010}'));
  });
});
