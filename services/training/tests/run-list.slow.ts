import { randomUUID } from "node:crypto";
import { ListCheckpointsRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import { ListMediaRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/media";
import {
  JobState,
  ListAllRunsRequestSchema,
  ListPipelinesRequestSchema,
  ListRunsRequestSchema,
} from "@aiplatform/contract/aiplatform/training/v1/runs";
import { declaredLists, declaredQueries, type ListQueryTexts, withoutIndex } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { MetricBucketStore } from "../src/metric-reports/metric-bucket-store.ts";
import { markedForMs } from "../src/run-index/report-marks.ts";
import { RunIndexStore } from "../src/run-index/run-index-store.ts";
import { sweepReports } from "../src/run-index/sweep-runs.ts";
import { declaredValues, documentOf } from "../src/runs/run-document.ts";
import { runListBounds } from "../src/runs/run-list.ts";
import { type Clients, failureOf, type JobName, TestTrainer, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
let clients: Clients;
beforeAll(async () => {
  rig = await TrainingRig.start();
  clients = rig.as();
});
afterAll(() => rig[Symbol.asyncDispose]());

async function newPipeline(): Promise<string> {
  const { pipeline } = await clients.runs.createPipeline({ name: "pipeline" });
  return pipeline?.id ?? "";
}

/** Creates a run with a job for each configuration. */
async function newRun(pipelineId: string, name: string, ...configurations: object[]): Promise<JobName> {
  const jobs = configurations.map((each, index) => ({
    name: `job-${index}`,
    configuration: { text: JSON.stringify(each) },
  }));
  const { run } = await clients.runs.createRun({ pipelineId, name, jobs });
  return { pipelineId, runId: run?.id ?? "", jobName: "job-0" };
}

/** A trainer of the job that reports values of metrics, one batch for each row. */
async function reporting(
  job: JobName,
): Promise<{ trainer: TestTrainer; report: (row: Record<string, number>) => Promise<void> }> {
  const trainer = await new TestTrainer(clients, job).attach();
  await trainer.report(JobState.RUNNING);
  let counter = 0;
  const report = async (row: Record<string, number>) => {
    const columns = Object.entries(row).map(([name, value]) => ({ name, steps: [counter], values: [value] }));
    const batch = { ...job, attachmentId: trainer.attachmentId, counter: ++counter, columns };
    await clients.trainers.sendReport(batch);
  };
  return { trainer, report };
}

interface Query {
  filter?: string;
  orderBy?: string;
  limit?: number;
}

/** Names of the runs on all pages of a list. */
async function namesOf(pipelineId: string, query: Query): Promise<string[]> {
  const names: string[] = [];
  let cursor = "";
  do {
    const { runs, nextCursor } = await clients.runs.listRuns({ pipelineId, ...query, cursor });
    names.push(...runs.map(({ name }) => name));
    cursor = nextCursor;
  } while (cursor !== "");
  return names;
}

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 100 });

describe("the runs of a pipeline", () => {
  it("are found by what their jobs were configured with", async () => {
    const pipelineId = await newPipeline();
    await newRun(pipelineId, "slow", { learning_rate: 0.001, optimizer: "adam", model: { layers: 3 } });
    await newRun(pipelineId, "fast", { learning_rate: 0.1, optimizer: "sgd", "a b": true });
    await newRun(pipelineId, "both", { learning_rate: 0.1 }, { learning_rate: 0.001 });
    const found = (filter: string) => namesOf(pipelineId, { filter });
    expect(await found("configuration.learning_rate <= 0.01")).toEqual(["both", "slow"]);
    expect(await found("configuration.learning_rate <= 0.01 AND configuration.optimizer = adam")).toEqual(["slow"]);
    expect(await found("configuration.model.layers = 3")).toEqual(["slow"]);
    expect(await found('configuration."a b" = true')).toEqual(["fast"]);
    expect(await found('configuration.learning_rate = "0.1"')).toEqual([]);
    expect(await found("NOT configuration:optimizer")).toEqual(["both"]);
    expect(await found("configuration.optimizer != adam")).toEqual(["fast"]);
  });

  it("are found by their tags, and by whether they are archived", async () => {
    const pipelineId = await newPipeline();
    const jobs = [{ name: "train" }];
    for (const [name, tags] of [
      ["a", { "team.a": "vision" }],
      ["b", { "team.a": "speech" }],
      ["c", {}],
    ] as const) {
      await clients.runs.createRun({ pipelineId, name, jobs, tags });
    }
    const { runs } = await clients.runs.listRuns({ pipelineId, filter: "tags.team.a = vision" });
    expect(runs.map(({ name }) => name)).toEqual(["a"]);
    expect(await namesOf(pipelineId, { filter: 'tags:"team.a"' })).toEqual(["b", "a"]);
    expect(await namesOf(pipelineId, { filter: "NOT tags:team.a" })).toEqual(["c"]);
    await clients.runs.archiveRun({ pipelineId, runId: runs[0]?.id ?? "" });
    expect(await namesOf(pipelineId, { filter: "archived_at:*" })).toEqual(["a"]);
    expect(await namesOf(pipelineId, { filter: "NOT archived_at:*" })).toEqual(["c", "b"]);
  });

  it("are found and ordered by what they were started with", async () => {
    const pipelineId = await newPipeline();
    const jobs = [{ name: "train" }];
    for (const [name, parameters] of Object.entries({
      a: { data: { rows: 9 } },
      b: { data: { rows: 5 }, fast: true },
      c: {},
    }))
      await clients.runs.createRun({ pipelineId, name, jobs, parameters: { text: JSON.stringify(parameters) } });
    expect(await namesOf(pipelineId, { filter: "parameters.data.rows > 5" })).toEqual(["a"]);
    expect(await namesOf(pipelineId, { filter: "parameters.fast = true" })).toEqual(["b"]);
    expect(await namesOf(pipelineId, { filter: "NOT parameters:data.rows" })).toEqual(["c"]);
    expect(await namesOf(pipelineId, { orderBy: "parameters.data.rows" })).toEqual(["b", "a"]);
  });

  it("are found by their names, and ordered by them", async () => {
    const pipelineId = await newPipeline();
    for (const name of ["b", "c", "a"]) await newRun(pipelineId, name, {});
    expect(await namesOf(pipelineId, { orderBy: "name", limit: 2 })).toEqual(["a", "b", "c"]);
    expect(await namesOf(pipelineId, { orderBy: "name desc", filter: "name != b" })).toEqual(["c", "a"]);
    expect(await namesOf(pipelineId, { orderBy: "created_at", limit: 1 })).toEqual(["b", "c", "a"]);
  });

  it("are ordered by a number of their configuration, without those that have none", async () => {
    const pipelineId = await newPipeline();
    for (const [index, rate] of [0.2, 0.1, 0.3, "none", 0.1].entries()) await newRun(pipelineId, `${index}`, { rate });
    const orderBy = "configuration.rate";
    expect(await namesOf(pipelineId, { orderBy })).toEqual(["1", "4", "0", "2"]);
    expect(await namesOf(pipelineId, { orderBy: `${orderBy} desc`, limit: 1 })).toEqual(["2", "0", "4", "1"]);
    expect(await namesOf(pipelineId, { orderBy, filter: "name >= 2", limit: 1 })).toEqual(["4", "2"]);
  });

  it("are found by the last value of a metric, and the best one comes first", async () => {
    const pipelineId = await newPipeline();
    const runs = [await newRun(pipelineId, "good", {}), await newRun(pipelineId, "best", {}, {})];
    await newRun(pipelineId, "without", {});
    const [good, best] = await Promise.all(runs.map(reporting));
    await good?.report({ accuracy: 0.99, loss: 1 });
    await good?.report({ accuracy: 0.9 });
    await best?.report({ accuracy: 0.95, loss: Number.NaN });
    await eventually(async () => {
      expect(await namesOf(pipelineId, { orderBy: "metrics.accuracy desc", limit: 1 })).toEqual(["best", "good"]);
    });
    expect(await namesOf(pipelineId, { filter: "metrics.accuracy > 0.92" })).toEqual(["best"]);
    expect(await namesOf(pipelineId, { filter: "metrics.accuracy > 0.98" })).toEqual([]);
    expect(await namesOf(pipelineId, { filter: "metrics:loss" })).toEqual(["good"]);
    const filtered = { filter: "metrics.accuracy < 0.92", orderBy: "metrics.accuracy desc" };
    expect(await namesOf(pipelineId, filtered)).toEqual(["good"]);
    await best?.report({ accuracy: 0.5 });
    await eventually(async () => {
      expect(await namesOf(pipelineId, { orderBy: "metrics.accuracy desc" })).toEqual(["good", "best"]);
    });
    for (const each of [good, best]) await each?.trainer[Symbol.asyncDispose]();
  });

  it("are found by the states of their jobs", async () => {
    const pipelineId = await newPipeline();
    const job = await newRun(pipelineId, "running", {}, {});
    await newRun(pipelineId, "queued", {});
    await using trainer = await new TestTrainer(clients, job).attach();
    await trainer.report(JobState.RUNNING);
    await eventually(async () => {
      expect(await namesOf(pipelineId, { filter: "jobs.state = running" })).toEqual(["running"]);
    });
    expect(await namesOf(pipelineId, { filter: "jobs.state:queued" })).toEqual(["queued", "running"]);
    expect(await namesOf(pipelineId, { filter: "NOT jobs.state = running" })).toEqual(["queued"]);
  });

  it("are refused to be found by what they do not have, at the character", async () => {
    const pipelineId = await newPipeline();
    const failure = await failureOf(clients.runs.listRuns({ pipelineId, filter: "jobs.state = walking" }));
    expect([failure.code, failure.rawMessage]).toEqual([
      Code.InvalidArgument,
      expect.stringContaining("filter: at character 14: jobs.state is compared with one of queued, preparing, running"),
    ]);
  });
});

describe("the runs of all pipelines", () => {
  it("are the organisation's own, found and ordered like those of one", async () => {
    const key = randomUUID();
    const [one, other] = [await newPipeline(), await newPipeline()];
    for (const [index, pipelineId] of [one, other, one].entries())
      await newRun(pipelineId, `${index}`, { [key]: index });
    const foreign = rig.as({ organisationId: randomUUID() });
    const orderBy = `configuration.${key} desc`;
    const { runs } = await clients.runs.listAllRuns({ orderBy });
    expect(runs.map(({ name, pipelineId }) => [name, pipelineId])).toEqual([
      ["2", one],
      ["1", other],
      ["0", one],
    ]);
    expect((await foreign.runs.listAllRuns({ orderBy })).runs).toEqual([]);
    const filter = `configuration:${key} AND pipeline_id = ${one}`;
    const ofOne = await clients.runs.listAllRuns({ filter });
    expect(ofOne.runs.map(({ name }) => name)).toEqual(["2", "0"]);
    expect((await foreign.runs.listAllRuns({ filter })).runs).toEqual([]);
  });
});

describe("a pipeline of more runs than are put in order themselves", () => {
  const first = 500;
  const count = first + runListBounds.few + 50;
  const names = Array.from({ length: count }, (_, index) => `run ${String(index).padStart(4, "0")}`);
  let pipelineId: string;
  beforeAll(async () => {
    pipelineId = await newPipeline();
    const runs = names.map((name, rank) => {
      const parameters = JSON.stringify({
        rank,
        place: rank % 50 === 0 ? "rare" : rank < first ? "first" : "late",
      });
      const createdAt = new Date(1e12 + rank);
      const said = { name, parameters, datasets: [], tags: [], notes: "", createdAt, updatedAt: createdAt };
      return documentOf({ id: randomUUID(), organisationId: rig.organisationId, pipelineId, jobs: [], ...said });
    });
    const { database } = rig.store;
    const values = runs.flatMap((run) => declaredValues(run, run));
    await database.collection<{ _id: string }>("runs").insertMany(runs);
    await database.collection<{ _id: string }>("run_values").insertMany(values);
  });

  it.each([
    ["few match", "rare"],
    ["many match, and none of the first", "late"],
    ["the first match", "first"],
  ])("is answered page by page without gap or repeat, in each order, where %s", async (_what, place) => {
    const expected = names.filter((_, rank) => (rank % 50 === 0 ? "rare" : rank < first ? "first" : "late") === place);
    const filter = `parameters.place = ${place}`;
    for (const orderBy of ["name", "created_at", "parameters.rank"])
      expect(await namesOf(pipelineId, { filter, orderBy, limit: 1_000 })).toEqual(expected);
    expect(await namesOf(pipelineId, { filter, limit: 1_000 })).toEqual(expected.toReversed());
  });
});

describe("pipelines", () => {
  it("are found by the annotations that they have now", async () => {
    const team = randomUUID();
    const annotations = { text: JSON.stringify({ team, "cost centre": 7 }) };
    const { pipeline } = await clients.runs.createPipeline({ name: "annotated", annotations });
    const pipelineId = pipeline?.id ?? "";
    const found = async (filter: string) =>
      (await clients.runs.listPipelines({ filter: `annotations.team = ${team} AND ${filter}` })).pipelines.map(
        ({ id }) => id,
      );
    expect(await found('annotations."cost centre" >= 7')).toEqual([pipelineId]);
    await clients.runs.updatePipeline({ pipelineId, annotations: { text: JSON.stringify({ team }) } });
    expect(await found('annotations:"cost centre"')).toEqual([]);
    expect(await found("annotations:team")).toEqual([pipelineId]);
  });
});

describe("each filter and order", () => {
  const lists = [
    ["runs of a pipeline", ListRunsRequestSchema, "listRuns"],
    ["runs of all pipelines", ListAllRunsRequestSchema, "listAllRuns"],
    ["pipelines", ListPipelinesRequestSchema, "listPipelines"],
  ] as const;

  it("is known of every list", () => {
    // Checkpoints are part of a job's state in memory, and media have a test of their own.
    const known = [ListCheckpointsRequestSchema, ListMediaRequestSchema, ...lists.map(([, request]) => request)];
    expect(known.map(({ typeName }) => typeName).sort()).toEqual(declaredLists("training").sort());
  });

  it.each(lists)("of %s is answered by an index", async (_name, request, list) => {
    const pipelineId = await newPipeline();
    await newRun(pipelineId, "run", { key: 1 });
    const ask = (query: ListQueryTexts) => clients.runs[list]({ pipelineId, ...query });
    expect(await withoutIndex(rig.store, declaredQueries(request), ask)).toEqual([]);
  });
});

describe("a report whose process ended before it was indexed", () => {
  it("is found by the mark of its run, which is gone once nothing is missing", async () => {
    await using broken = await TrainingRig.start();
    clients = broken.as();
    const pipelineId = await newPipeline();
    const job = await newRun(pipelineId, "run", {});
    const { trainer, report } = await reporting(job);
    await report({ loss: 0.5 });
    await trainer[Symbol.asyncDispose]();
    // Undoes what the process may have indexed meanwhile.
    const runs = broken.store.database.collection<{ _id: string; index_due_at?: Date; metrics?: object }>("runs");
    await Promise.all(broken.services.map((service) => service.stop()));
    await runs.updateOne({ _id: job.runId }, { $set: { metrics: [], metrics_sequence: 0 } });

    const index = new RunIndexStore(broken.store);
    const clock = () => new Date(Date.now() + markedForMs);
    const sweep = () => sweepReports({ index, metricBuckets: new MetricBucketStore(broken.store), clock });
    await sweep();
    expect(await runs.findOne({ _id: job.runId })).toMatchObject({ metrics: [{ key: "loss", value: 0.5 }] });
    expect(await index.due(clock(), 10)).toHaveLength(1);
    await sweep();
    expect(await index.due(clock(), 10)).toEqual([]);
    clients = rig.as();
  });
});

describe("a run of an earlier version", () => {
  it("is found like any other once a replica of this version has started", async () => {
    const pipelineId = await newPipeline();
    const job = await newRun(pipelineId, "old", { rate: 1 });
    const { trainer, report } = await reporting(job);
    await report({ loss: 0.5 });
    const added = { job_states: 1, configuration: 1, metrics: 1, metrics_sequence: 1, index_due_at: 1 } as const;
    await rig.store.database.collection<{ _id: string }>("runs").updateOne({ _id: job.runId }, { $unset: added });
    await rig.store.database.collection("run_values").deleteMany({ run_id: job.runId });
    await using _another = await rig.startAnother();
    await eventually(async () => {
      const filter = "configuration.rate = 1 AND metrics.loss = 0.5 AND jobs.state = running";
      expect(await namesOf(pipelineId, { filter, orderBy: "configuration.rate" })).toEqual(["old"]);
    });
    await trainer[Symbol.asyncDispose]();
  });
});
