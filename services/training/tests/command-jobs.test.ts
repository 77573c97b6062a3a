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
