import { randomUUID } from "node:crypto";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as Status,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { OverrideClass, OverrideType } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { BadRequestSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, type ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, newJob, runningJob, send, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start({ replicas: 2 });
});
afterAll(() => rig[Symbol.asyncDispose]());

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
      const { clients, job, trainer } = await runningJob(rig, {
        overrides: [learningRate, { ...learningRate, key: "momentum" }],
      });
      await using _ = trainer;
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
    });

    it("refuses another body, naming the key", async () => {
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
      const clients = rig.as();
      const job = await newJob(clients);
      const request = { ...job, action: Action.PAUSE, idempotencyKey: randomUUID() };
      const first = await clients.commands.createTrainingControlCommand(request);
      const second = await rig.as({}, 1).commands.createTrainingControlCommand(request);
      expect(second.command).toEqual(first.command);
    });
  });

  it("judges a command on the state that the pending ones will lead to", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const outcomeOf = async (action: Action) => {
      const { status, detail } = await send(clients, job, action);
      return [status, detail];
    };
    expect(await outcomeOf(Action.RESUME)).toEqual([Status.APPLIED, "already running"]);
    expect(await outcomeOf(Action.PAUSE)).toEqual([Status.PENDING, undefined]);
    expect(await outcomeOf(Action.CONTINUE)).toEqual([Status.REJECTED, "not possible while paused"]);
    expect(await outcomeOf(Action.RESUME)).toEqual([Status.PENDING, undefined]);
    expect(await outcomeOf(Action.CONTINUE)).toEqual([Status.PENDING, undefined]);
  });

  it("lets an abort supersede what is pending, a finish included", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    await using _ = trainer;
    await trainer.checkpoint({ id: randomUUID(), step: 10 });
    for (const action of [Action.CONTINUE, Action.FINISH_FROM_CHECKPOINT, Action.ABORT, Action.ABORT]) {
      await send(clients, job, action);
    }
    const { commands } = await clients.commands.listControlCommands(job);
    expect(commands.map(({ status, detail }) => [status, detail])).toEqual([
      [Status.REJECTED, "superseded by sequence 3"],
      [Status.REJECTED, "superseded by sequence 3"],
      [Status.PENDING, undefined],
      [Status.APPLIED, "already aborted"],
    ]);
  });

  it("lists every violation of what an action must not carry", async () => {
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
    const { clients, job, trainer } = await runningJob(rig, { overrides: [learningRate] });
    await using _ = trainer;
    const detailOf = async (
      action: Action,
      rest: { checkpointId?: string; runtimeOverrides?: { text: string } } = {},
    ) => (await send(clients, job, action, rest)).detail;
    const text = '{"learning_rate":1.0000000000000000001}';
    expect(await detailOf(Action.CONTINUE, { runtimeOverrides: { text } })).toBe(
      "override learning_rate must be at most 1",
    );
    expect(await detailOf(Action.ROLLBACK)).toBe("no checkpoint");
    expect(await detailOf(Action.ROLLBACK, { checkpointId: randomUUID() })).toBe("unknown checkpoint");
  });

  it("cannot tell another organisation's job from one that does not exist", async () => {
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
