import { randomUUID } from "node:crypto";
import { CheckpointsPrunedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import {
  CheckpointService,
  KeepReason,
  type PruneCheckpointsRequestSchema,
} from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState, MetricGoal } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { BadRequestSchema } from "@aiplatform/contract/google/rpc/error_details";
import { decodeEvent, eventType } from "@aiplatform/event-stream";
import { eventually, TestClient } from "@aiplatform/testkit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hearPublished, withoutRepeats } from "./published-events.ts";
import { allPermissions, failureOf, type JobName, runningJob, send, TestTrainer, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
const cleanUp = new AsyncDisposableStack();
beforeAll(async () => {
  rig = cleanUp.use(await TrainingRig.start({ replicas: 2 }));
});
afterAll(() => cleanUp.disposeAsync());

type Wanted = Omit<MessageInitShape<typeof PruneCheckpointsRequestSchema>, "$typeName">;

/** A running job with checkpoints at 10, 20, 30, … whose loss is best at 20. */
async function jobWithCheckpoints(count: number) {
  const declared = { primaryMetric: "loss", primaryMetricGoal: MetricGoal.MINIMIZE };
  const { clients, job, trainer } = await runningJob(rig, declared);
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [index, id] of ids.entries()) {
    await trainer.checkpoint({ id, step: 10 * (index + 1), metrics: { loss: index === 1 ? 0 : 1 / (index + 1) } });
  }
  return { clients, job, trainer, ids, ...pruner(job) };
}

function pruner(job: JobName, replica = 0) {
  const caller = { organisationId: rig.organisationId, permissions: allPermissions };
  const client = cleanUp.adopt(new TestClient(rig.services[replica]?.addresses.grpc ?? "", caller), (each) =>
    each.transport.close(),
  );
  const checkpoints = client.client(CheckpointService);
  const prune = (wanted: Wanted) => checkpoints.pruneCheckpoints({ ...job, ...wanted });
  const stepsPruned = async (wanted: Wanted) => (await prune(wanted)).pruned.map(({ step }) => step);
  const list = async (filter = "") => (await checkpoints.listCheckpoints({ ...job, filter })).checkpoints;
  return { prune, stepsPruned, list };
}

/** The field that is refused, and why. */
async function problemOf(call: Promise<unknown>): Promise<string> {
  const [detail] = (await failureOf(call)).findDetails(BadRequestSchema);
  return (detail?.fieldViolations ?? []).map(({ field, reason }) => `${field}: ${reason}`).join();
}

describe("pruning the checkpoints of a job that runs", () => {
  it("says first what would go and why the others stay, then does it, and tells the trainer", async () => {
    const { trainer, ids, prune, list } = await jobWithCheckpoints(6);
    const [first, best, third] = ids;
    const tried = await prune({ keepNewest: 2, dryRun: true });
    expect(tried.pruned.map(({ step }) => step)).toEqual([10, 30, 40]);
    expect(tried.kept.map(({ step, reasons }) => [step, reasons])).toEqual([
      [20, [KeepReason.BEST]],
      [50, [KeepReason.NEWEST]],
      [60, [KeepReason.NEWEST, KeepReason.RESUME]],
    ]);
    expect(await list("pruned_at:*")).toEqual([]);

    expect(await prune({ keepNewest: 2 })).toEqual(tried);
    const going = [first, third, ids[3]];
    await trainer.until(({ events }) => events.some((event) => event.case === "pruned"));
    expect(trainer.events.flatMap(({ case: name, value }) => (name === "pruned" ? [value.checkpointIds] : []))).toEqual(
      [going],
    );
    expect((await list("pruned_at:*")).map(({ id, step }) => [id, step])).toEqual([
      [ids[3], 40],
      [third, 30],
      [first, 10],
    ]);
    expect((await list()).find(({ id }) => id === best)?.prunedAt).toBeUndefined();
    await trainer[Symbol.asyncDispose]();
  });

  it("happens once, whichever replica is asked and however often", async () => {
    const { trainer, job, ids, stepsPruned } = await jobWithCheckpoints(5);
    await using _ = trainer;
    const other = pruner(job, 1);
    const wanted = { checkpointIds: [ids[0] ?? "", ids[2] ?? ""] };
    const answers = await Promise.all([stepsPruned(wanted), other.stepsPruned(wanted), stepsPruned(wanted)]);
    expect(answers).toEqual([
      [10, 30],
      [10, 30],
      [10, 30],
    ]);
    const [times] = [new Set((await other.list("pruned_at:*")).map(({ prunedAt }) => prunedAt?.seconds))];
    expect(times.size).toBe(1);
    await eventually(() => trainer.events.some((event) => event.case === "pruned"), "the trainer to be told");
    expect(trainer.events.filter((event) => event.case === "pruned")).toHaveLength(1);
  });

  it("does not make a checkpoint come back that its trainer records again", async () => {
    const { clients, job, trainer, ids, prune, list } = await jobWithCheckpoints(4);
    const id = ids[0] ?? "";
    await prune({ checkpointIds: [id] });
    const { checkpoint } = await trainer.checkpoint({ id, step: 10 });
    expect(checkpoint?.prunedAt).toBeDefined();
    await trainer[Symbol.asyncDispose]();
    await using again = await new TestTrainer(clients, job, trainer.attachmentId).attach();
    expect(again.attached?.checkpoints.filter(({ prunedAt }) => prunedAt).map((each) => each.id)).toEqual([id]);
    expect((await list("pruned_at:*")).map((each) => each.id)).toEqual([id]);
  });

  it("has a command that names one rejected, and leaves it out of what a command may choose", async () => {
    const { clients, job, trainer, ids, prune } = await jobWithCheckpoints(4);
    await using _ = trainer;
    await prune({ checkpointIds: ids.slice(0, 3) });
    const named = await send(clients, job, Action.ROLLBACK, { checkpointId: ids[0] ?? "" });
    expect(named).toMatchObject({ detail: "checkpoint was pruned" });
    const chosen = await send(clients, job, Action.ROLLBACK);
    expect((await trainer.delivered(chosen.sequence)).resolvedCheckpointId).toBe(ids[3]);
    const kept = await prune({ filter: "step > 0" });
    expect(kept.pruned).toEqual([]);
    expect(kept.kept[0]?.reasons).toContain(KeepReason.PENDING_COMMAND);
  });

  it("is about the checkpoints that a filter finds", async () => {
    const { trainer, stepsPruned } = await jobWithCheckpoints(6);
    await using _ = trainer;
    expect(await stepsPruned({ filter: "step <= 40", keepNewest: 1, dryRun: true })).toEqual([10, 30]);
    expect(await stepsPruned({ filter: "metrics.loss < 0.3", dryRun: true })).toEqual([40, 50]);
    expect(await stepsPruned({ keepBest: 3 })).toEqual([10, 30, 40]);
    expect(await stepsPruned({ filter: "step > 0" })).toEqual([50]);
  });

  it("is told to the other services, with the ids", async () => {
    await using published = await hearPublished(rig.home);
    const { trainer, job, ids, prune } = await jobWithCheckpoints(3);
    await using _ = trainer;
    await prune({ filter: "step < 20" });
    await prune({ filter: "step < 20" });
    const told = () =>
      withoutRepeats(published.events)
        .filter(({ type }) => type === eventType(CheckpointsPrunedSchema))
        .map((event) => decodeEvent(CheckpointsPrunedSchema, event.data))
        .filter(({ runId }) => runId === job.runId);
    await eventually(() => told().length > 0, "the event");
    expect(told()).toMatchObject([{ runId: job.runId, jobName: "train", checkpointIds: [ids[0]] }]);
  });
});

describe("pruning the checkpoints of a job that has ended", () => {
  it("leaves the best", async () => {
    const { trainer, stepsPruned } = await jobWithCheckpoints(4);
    await trainer.report(JobState.COMPLETED);
    await trainer[Symbol.asyncDispose]();
    expect(await stepsPruned({ filter: "step > 0" })).toEqual([10, 30, 40]);
  });
});

describe("a request to prune", () => {
  it("is refused where it names no field well, and finds no job below another run", async () => {
    const { job, trainer, prune } = await jobWithCheckpoints(1);
    await using _ = trainer;
    const id = randomUUID();
    const refused: [Wanted, string][] = [
      [{}, "checkpoint_ids: EXACTLY_ONE"],
      [{ checkpointIds: [id], keepNewest: 1 }, "checkpoint_ids: EXACTLY_ONE"],
      [{ checkpointIds: [id] }, "checkpoint_ids[0]: UNKNOWN_CHECKPOINT"],
      [{ filter: "step >" }, "filter: FILTER_INVALID"],
      [{ keepNewest: 0 }, "keep_newest: INT32_GTE_LTE"],
    ];
    for (const [wanted, problem] of refused) expect(await problemOf(prune(wanted))).toBe(problem);
    const failure = await failureOf(pruner({ ...job, runId: randomUUID() }).prune({ keepNewest: 1 }));
    expect(failure.code).toBe(Code.NotFound);
  });

  it("by the best of a job that has no primary metric is refused", async () => {
    const { job, trainer } = await runningJob(rig);
    await using _ = trainer;
    expect(await problemOf(pruner(job).prune({ keepBest: 1 }))).toBe("keep_best: PRIMARY_METRIC_MISSING");
  });
});
