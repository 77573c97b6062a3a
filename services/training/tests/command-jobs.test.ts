import { randomUUID } from "node:crypto";
import {
  TrainingControlAction as Action,
  TrainingControlCommandStatus as Status,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, newJob, runningJob, send, TestTrainer, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
beforeAll(async () => {
  rig = await TrainingRig.start({ replicas: 2 });
});
afterAll(() => rig[Symbol.asyncDispose]());

describe("one command for many jobs", () => {
  it("has an outcome in each of them, in the order asked for", async () => {
    const running = await runningJob(rig);
    await using _ = running.trainer;
    const ended = await newJob(running.clients);
    await send(running.clients, ended, Action.ABORT);
    await using trainer = await new TestTrainer(running.clients, ended).attach();
    const abort = await trainer.delivered(1);
    await trainer.applied(abort.command?.id ?? "");
    const foreign = await newJob(rig.as({ organisationId: randomUUID() }));
    const jobs = [running.job, { runId: ended.runId }, { runId: foreign.runId }, { ...ended, jobName: "other" }];
    const wanted = { jobs, action: Action.PAUSE, idempotencyKey: randomUUID() };
    const { outcomes } = await rig.as({}, 1).commands.commandJobs(wanted);
    expect(outcomes).toMatchObject([
      { runId: running.job.runId, jobName: "train", accepted: true, command: { status: Status.PENDING, sequence: 1 } },
      { runId: ended.runId, jobName: "train", accepted: false, detail: "not possible while aborted" },
      { runId: foreign.runId, jobName: "", accepted: false, code: "not_found" },
      { runId: ended.runId, jobName: "other", accepted: false, code: "not_found" },
    ]);
    const again = await running.clients.commands.commandJobs(wanted);
    expect(again.outcomes.map(({ command }) => command?.id)).toEqual(outcomes.map(({ command }) => command?.id));
    const other = await rig.as().commands.commandJobs({ ...wanted, action: Action.ABORT });
    expect(other.outcomes[0]).toMatchObject({ accepted: false, code: "idempotency_key_reused" });
  });

  it("changes nothing in a dry run, which says what it would lead to", async () => {
    const { job, clients, trainer } = await runningJob(rig);
    await using _ = trainer;
    const wanted = { jobs: [job], action: Action.PAUSE, idempotencyKey: randomUUID(), dryRun: true };
    const { outcomes } = await clients.commands.commandJobs(wanted);
    expect(outcomes).toMatchObject([
      { accepted: true, preview: { projectedState: "running", resultingState: "paused" } },
    ]);
    expect((await clients.commands.listControlCommands(job)).commands).toEqual([]);
  });

  it("reaches a hundred jobs, and no more", async () => {
    const { runs, commands } = rig.as();
    const { pipeline } = await runs.createPipeline({ name: "pipeline" });
    const names = Array.from({ length: 32 }, (_, index) => `job-${index}`);
    const { run } = await runs.createRun({
      pipelineId: pipeline?.id ?? "",
      name: "run",
      jobs: names.map((name) => ({ name })),
    });
    const all = Array.from({ length: 100 }, (_, index) => ({ runId: run?.id ?? "", jobName: `job-${index}` }));
    const wanted = { action: Action.PAUSE, idempotencyKey: randomUUID() };
    const { outcomes } = await commands.commandJobs({ ...wanted, jobs: all });
    expect([outcomes.length, outcomes.filter(({ accepted }) => accepted).length]).toEqual([100, 32]);
    const tooMany = commands.commandJobs({ ...wanted, jobs: [...all, { runId: run?.id ?? "" }] });
    expect((await failureOf(tooMany)).code).toBe(Code.InvalidArgument);
  });
});

describe("one command for the jobs that a filter finds", () => {
  const tagged = async (tag: string, count: number) => {
    const { runs } = rig.as();
    const { pipeline } = await runs.createPipeline({ name: "pipeline" });
    const pipelineId = pipeline?.id ?? "";
    const made: string[] = [];
    for (let index = 0; index < count; index++) {
      const jobs = [{ name: "prepare" }, { name: "train" }];
      const { run } = await runs.createRun({ pipelineId, name: `run ${index}`, tags: { team: tag }, jobs });
      made.unshift(run?.id ?? "");
    }
    return { runIds: made, pipelineId, filter: `tags.team = "${tag}"` };
  };

  it("reaches the first job of each run, or the one that is named", async () => {
    const { runIds, filter } = await tagged("named", 2);
    const wanted = { filter, action: Action.PAUSE, dryRun: true };
    const { commands } = rig.as();
    const first = await commands.commandJobs({ ...wanted, idempotencyKey: randomUUID() });
    expect(first.outcomes).toMatchObject(runIds.map((runId) => ({ runId, jobName: "prepare", accepted: true })));
    const named = await commands.commandJobs({ ...wanted, jobName: "train", idempotencyKey: randomUUID() });
    expect(named.outcomes.map(({ jobName }) => jobName)).toEqual(["train", "train"]);
    const none = { ...wanted, filter: 'tags.team = "none"', dryRun: false, idempotencyKey: randomUUID() };
    expect((await commands.commandJobs(none)).outcomes).toEqual([]);
    expect((await commands.commandJobs(none)).outcomes).toEqual([]);
  });

  it("reaches the same jobs when it is repeated, whatever the filter finds by then", async () => {
    const { runIds, pipelineId, filter } = await tagged("repeated", 2);
    const wanted = { filter, action: Action.ABORT };
    const { commands, runs } = rig.as();
    const key = randomUUID();
    const { outcomes } = await commands.commandJobs({ ...wanted, idempotencyKey: key });
    await runs.updateRun({ pipelineId, runId: runIds[0] ?? "", tags: { team: "" } });
    const again = await rig.as({}, 1).commands.commandJobs({ ...wanted, idempotencyKey: key });
    expect(again.outcomes.map(({ command }) => command?.id)).toEqual(outcomes.map(({ command }) => command?.id));
    const other = await failureOf(commands.commandJobs({ ...wanted, jobName: "train", idempotencyKey: key }));
    expect(other.rawMessage).toContain("already used for a different request");
  });

  it("is refused for more than a hundred runs, and commands none of them", async () => {
    const { runIds, pipelineId, filter } = await tagged("many", 1);
    const runs = rig.store.database.collection<{ _id: string }>("runs");
    const one = await runs.findOne({ _id: runIds[0] ?? "" });
    await runs.insertMany(Array.from({ length: 100 }, () => ({ ...one, _id: randomUUID() })));
    const { commands } = rig.as();
    const refused = await failureOf(
      commands.commandJobs({ filter, action: Action.PAUSE, idempotencyKey: randomUUID() }),
    );
    expect(refused.rawMessage).toContain("finds more than 100 runs: narrow it");
    const job = { pipelineId, runId: runIds[0] ?? "", jobName: "prepare" };
    expect((await commands.listControlCommands(job)).commands).toEqual([]);
  });

  it.each([
    ["neither jobs nor a filter", {}, "name jobs, or send a filter"],
    ["both", { jobs: [{ runId: randomUUID() }], filter: "name = x" }, "not both"],
    ["a job's name beside jobs", { jobs: [{ runId: randomUUID() }], jobName: "train" }, "belongs to a filter"],
    ["a filter that is none", { filter: "colour = red" }, "no such field"],
  ])("is refused for %s", async (_what, selection, message) => {
    const wanted = { ...selection, action: Action.PAUSE, idempotencyKey: randomUUID() };
    const refused = await failureOf(rig.as().commands.commandJobs(wanted));
    expect([refused.code, refused.rawMessage]).toEqual([Code.InvalidArgument, expect.stringContaining(message)]);
  });

  it("needs the permission to read runs", async () => {
    const { commands } = rig.as({ permissions: ["training:command"] });
    const wanted = { filter: "name = run", action: Action.PAUSE, idempotencyKey: randomUUID() };
    const refused = await failureOf(commands.commandJobs(wanted));
    expect([refused.code, refused.rawMessage]).toEqual([
      Code.PermissionDenied,
      expect.stringContaining("metrics:read"),
    ]);
  });
});
