import { randomUUID } from "node:crypto";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as Status,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState, OverrideClass, OverrideType } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { BadRequestSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, type ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "@jest/globals";
import { failureOf, newJob, TestTrainer, TrainingRig } from "./training-rig.ts";

const learningRate = {
  key: "learning_rate",
  type: OverrideType.NUMBER,
  class: OverrideClass.HOT,
  minimum: 0,
  maximum: 1,
};

function violationsOf(error: ConnectError) {
  return error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
}

describe("creating a control command", () => {
  it("makes one command of twenty equal concurrent requests", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as({ memberId: randomUUID() });
    const job = await newJob(clients);
    const request = { ...job, action: Action.PAUSE, idempotencyKey: randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => clients.commands.createTrainingControlCommand(request)),
    );
    expect(new Set(answers.map(({ command }) => command?.id)).size).toBe(1);
    const { commands } = await clients.commands.listControlCommands(job);
    expect(commands.map(({ sequence, status }) => [sequence, status])).toEqual([[1, Status.PENDING]]);
  });

  it("gives 200 different concurrent requests the sequences 1 to 200", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as();
    const job = await newJob(clients);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        clients.commands.createTrainingControlCommand({ ...job, action: Action.ABORT, idempotencyKey: randomUUID() }),
      ),
    );
    const sequences = answers.map(({ command }) => command?.sequence ?? 0).sort((left, right) => left - right);
    expect(sequences).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    const { commands } = await clients.commands.listControlCommands(job);
    expect(commands.map(({ sequence }) => sequence)).toEqual(sequences);
    expect(commands.filter(({ status }) => status === Status.PENDING)).toHaveLength(1);
  });

  it("does so across replicas too, whichever each request meets", async () => {
    await using rig = await TrainingRig.start({ replicas: 2 });
    const replicas = [rig.as(), rig.as({}, 1)] as const;
    const job = await newJob(replicas[0]);
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const answers = await Promise.all(
      [...keys, ...keys, ...keys].map(async (idempotencyKey, index) => {
        const { commands } = replicas[index % 2 === 0 ? 0 : 1];
        const { command } = await commands.createTrainingControlCommand({
          ...job,
          action: Action.RESUME,
          idempotencyKey,
        });
        return { idempotencyKey, id: command?.id, sequence: command?.sequence ?? 0 };
      }),
    );
    for (const key of keys) {
      const same = answers.filter(({ idempotencyKey }) => idempotencyKey === key);
      expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    }
    const sequences = [...new Set(answers.map(({ sequence }) => sequence))].sort((left, right) => left - right);
    expect(sequences).toEqual(keys.map((_key, index) => index + 1));
  });

  describe("with a key that was used before", () => {
    it("answers the first command, with the status it has now, when the body is equal as JSON", async () => {
      await using rig = await TrainingRig.start();
      const clients = rig.as();
      const job = await newJob(clients, { overrides: [learningRate, { ...learningRate, key: "momentum" }] });
      const trainer = await new TestTrainer(clients, job).attach();
      await trainer.report(JobState.RUNNING);
      const request = { ...job, action: Action.CONTINUE, idempotencyKey: randomUUID() };
      const text = '{"learning_rate":0.5,"momentum":0.25}';
      const first = await clients.commands.createTrainingControlCommand({ ...request, runtimeOverrides: { text } });
      await trainer.applied(first.command?.id ?? "");
      const again = await clients.commands.createTrainingControlCommand({
        ...request,
        runtimeOverrides: { text: '{ "momentum": 0.25, "learning_rate": 0.5 }' },
      });
      expect(again.command).toMatchObject({ id: first.command?.id, sequence: 1, status: Status.APPLIED });
      expect(again.command?.runtimeOverrides?.text).toBe(text);
      await trainer[Symbol.asyncDispose]();
    });

    it("refuses another body, naming the key", async () => {
      await using rig = await TrainingRig.start({ replicas: 2 });
      const clients = rig.as();
      const job = await newJob(clients);
      const request = { ...job, action: Action.PAUSE, idempotencyKey: randomUUID() };
      await clients.commands.createTrainingControlCommand(request);
      for (const replica of [0, 1]) {
        const { commands } = rig.as({}, replica);
        const error = await failureOf(commands.createTrainingControlCommand({ ...request, action: Action.ABORT }));
        expect(error.code).toBe(Code.InvalidArgument);
        expect(violationsOf(error)).toMatchObject([{ field: "idempotency_key", reason: "IDEMPOTENCY_KEY_REUSED" }]);
      }
    });

    it("answers the same from a replica that has never seen it", async () => {
      await using rig = await TrainingRig.start({ replicas: 2 });
      const clients = rig.as();
      const job = await newJob(clients);
      const request = { ...job, action: Action.PAUSE, idempotencyKey: randomUUID() };
      const first = await clients.commands.createTrainingControlCommand(request);
      const second = await rig.as({}, 1).commands.createTrainingControlCommand(request);
      expect(second.command).toEqual(first.command);
    });
  });

  it("judges a command on the state that the pending ones will lead to", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as();
    const job = await newJob(clients);
    const trainer = await new TestTrainer(clients, job).attach();
    await trainer.report(JobState.RUNNING);
    const send = async (action: Action) => {
      const { command } = await clients.commands.createTrainingControlCommand({
        ...job,
        action,
        idempotencyKey: randomUUID(),
      });
      return [command?.status, command?.detail];
    };
    expect(await send(Action.RESUME)).toEqual([Status.APPLIED, "already running"]);
    expect(await send(Action.PAUSE)).toEqual([Status.PENDING, undefined]);
    expect(await send(Action.CONTINUE)).toEqual([Status.REJECTED, "not possible while paused"]);
    expect(await send(Action.RESUME)).toEqual([Status.PENDING, undefined]);
    expect(await send(Action.CONTINUE)).toEqual([Status.PENDING, undefined]);
    await trainer[Symbol.asyncDispose]();
  });

  it("lets an abort supersede what is pending, a finish included", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as();
    const job = await newJob(clients);
    const trainer = await new TestTrainer(clients, job).attach();
    await trainer.report(JobState.RUNNING);
    await trainer.checkpoint({ id: randomUUID(), step: 10 });
    for (const action of [Action.CONTINUE, Action.FINISH_FROM_CHECKPOINT, Action.ABORT, Action.ABORT]) {
      await clients.commands.createTrainingControlCommand({ ...job, action, idempotencyKey: randomUUID() });
    }
    const { commands } = await clients.commands.listControlCommands(job);
    expect(commands.map(({ status, detail }) => [status, detail])).toEqual([
      [Status.REJECTED, "superseded by sequence 3"],
      [Status.REJECTED, "superseded by sequence 3"],
      [Status.PENDING, undefined],
      [Status.APPLIED, "already aborted"],
    ]);
    await trainer[Symbol.asyncDispose]();
  });

  it("lists every violation of what an action must not carry", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as();
    const job = await newJob(clients);
    const error = await failureOf(
      clients.commands.createTrainingControlCommand({
        ...job,
        action: Action.PAUSE,
        idempotencyKey: randomUUID(),
        checkpointId: randomUUID(),
        runtimeOverrides: { text: '{"learning_rate":1}' },
        supervisionLeaseToken: randomUUID(),
      }),
    );
    expect(violationsOf(error)).toMatchObject([
      { field: "checkpoint_id", reason: "CHECKPOINT_ID_MUST_BE_NULL" },
      { field: "runtime_overrides", reason: "RUNTIME_OVERRIDES_MUST_BE_EMPTY" },
      { field: "supervision_id", reason: "SUPERVISION_ID_MISSING" },
    ]);
  });

  it("rejects overrides that the job does not take, and checkpoints it does not have", async () => {
    await using rig = await TrainingRig.start();
    const clients = rig.as();
    const job = await newJob(clients, { overrides: [learningRate] });
    const trainer = await new TestTrainer(clients, job).attach();
    await trainer.report(JobState.RUNNING);
    const send = async (rest: { action: Action; checkpointId?: string; runtimeOverrides?: { text: string } }) => {
      const { command } = await clients.commands.createTrainingControlCommand({
        ...job,
        idempotencyKey: randomUUID(),
        ...rest,
      });
      return command?.detail;
    };
    const text = '{"learning_rate":1.0000000000000000001}';
    expect(await send({ action: Action.CONTINUE, runtimeOverrides: { text } })).toBe(
      "override learning_rate must be at most 1",
    );
    expect(await send({ action: Action.ROLLBACK })).toBe("no checkpoint");
    expect(await send({ action: Action.ROLLBACK, checkpointId: randomUUID() })).toBe("unknown checkpoint");
    await trainer[Symbol.asyncDispose]();
  });

  it("cannot tell another organisation's job from one that does not exist", async () => {
    await using rig = await TrainingRig.start();
    const job = await newJob(rig.as());
    const foreign = await newJob(rig.as({ organisationId: randomUUID() }));
    const { commands } = rig.as();
    const missing = [
      foreign,
      { ...job, runId: randomUUID() },
      { ...job, pipelineId: randomUUID() },
      { ...job, pipelineId: foreign.pipelineId },
      { ...job, jobName: "other" },
    ];
    for (const name of missing) {
      const request = { ...name, action: Action.PAUSE, idempotencyKey: randomUUID() };
      const error = await failureOf(commands.createTrainingControlCommand(request));
      expect([error.code, error.rawMessage]).toEqual([Code.NotFound, "Not found"]);
    }
  });

  it("names the member who asked, and no member for a key", async () => {
    await using rig = await TrainingRig.start();
    const memberId = randomUUID();
    const job = await newJob(rig.as());
    const asked = async (clients: ReturnType<TrainingRig["as"]>) => {
      const request = { ...job, action: Action.PAUSE, idempotencyKey: randomUUID() };
      return (await clients.commands.createTrainingControlCommand(request)).command?.requestedByMemberId;
    };
    expect(await asked(rig.as({ memberId }))).toBe(memberId);
    expect(await asked(rig.as())).toBeUndefined();
  });
});
