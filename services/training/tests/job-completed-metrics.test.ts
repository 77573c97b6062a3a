import { randomUUID } from "node:crypto";
import { type JobCompleted, JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { TrainingControlAction as Action } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState, MetricGoal } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { connectDocumentStore } from "@aiplatform/document-store";
import { connectEventStream, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import { until } from "@aiplatform/local-platform";
import {
  dropDatabase,
  newTestEnvironment,
  ServiceProcess,
  serviceKeys,
  type TestEnvironment,
} from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetricsRig } from "./metrics-rig.ts";
import { clientsAt, newJob, program, TestTrainer, TrainingRig } from "./training-rig.ts";

const waitOptions = { withinMs: 20_000, otherwise: () => new Error("the event did not come") };

/** Hears of jobs that end well. */
class Completions implements AsyncDisposable {
  readonly #stream: EventStream;
  readonly #received: JobCompleted[] = [];

  private constructor(stream: EventStream) {
    this.#stream = stream;
    stream.listen(eventSubject(JobCompletedSchema), ({ data }) => {
      this.#received.push(decodeEvent(JobCompletedSchema, data));
    });
  }

  static async subscribe({ NATS_URL: servers, NATS_STREAM: streamName }: TestEnvironment): Promise<Completions> {
    const stream = await connectEventStream({ servers, keys: serviceKeys("gateway"), name: "test", streamName });
    await until(() => stream.connected() || undefined, waitOptions);
    return new Completions(stream);
  }

  /** Metrics and primary metric of the run's job, once they are announced. */
  async of(runId: string) {
    const completed = await until(() => this.#received.find((one) => one.runId === runId), waitOptions);
    return { metrics: completed.metrics, primaryMetric: completed.primaryMetric };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stream.close();
  }
}

const declaration = { primaryMetric: "accuracy", primaryMetricGoal: MetricGoal.MAXIMIZE };

describe("a job that ends well", () => {
  let rig: TrainingRig;
  let completions: Completions;
  beforeAll(async () => {
    rig = await TrainingRig.start({ replicas: 2 });
    completions = await Completions.subscribe(rig.home);
  });
  afterAll(async () => {
    await completions[Symbol.asyncDispose]();
    await rig[Symbol.asyncDispose]();
  });

  it("announces the newest value of each metric, and which is the primary one", async () => {
    await using metrics = await MetricsRig.start(rig, declaration);
    const columns = [
      { name: "loss", steps: [1, 2], values: [3, 2.5] },
      { name: "accuracy", steps: [2], values: [0.25] },
    ];
    await metrics.report([metrics.batch([], { columns }), metrics.batch([[3, 2]])]);
    await metrics.trainer.report(JobState.COMPLETED);
    const expected = { metrics: { loss: 2, accuracy: 0.25 }, primaryMetric: "accuracy" };
    expect(await completions.of(metrics.job.runId)).toEqual(expected);
  });

  it("announces what another replica took a moment before", async () => {
    for (let value = 1; value <= 5; value++) {
      await using metrics = await MetricsRig.start(rig);
      await metrics.report([metrics.batch([[1, 0]])]);
      await metrics.read({}, 0);
      await metrics.report([metrics.batch([[2, value]])], 1);
      await metrics.trainer.report(JobState.COMPLETED);
      expect(await completions.of(metrics.job.runId)).toEqual({ metrics: { loss: value }, primaryMetric: "" });
    }
  });

  it("announces them when it was told to finish, too", async () => {
    await using metrics = await MetricsRig.start(rig, declaration);
    await metrics.report([metrics.batch([[1, 7]])]);
    const checkpointId = randomUUID();
    await metrics.trainer.checkpoint({ id: checkpointId, step: 1 });
    const action = Action.FINISH_FROM_CHECKPOINT;
    const wanted = { ...metrics.job, action, idempotencyKey: randomUUID() };
    const { command } = await rig.as().commands.createTrainingControlCommand(wanted);
    await metrics.trainer.applied(command?.id ?? "", { checkpointId });
    expect(await completions.of(metrics.job.runId)).toEqual({ metrics: { loss: 7 }, primaryMetric: "accuracy" });
  });

  it("announces none when it had none", async () => {
    await using metrics = await MetricsRig.start(rig);
    await metrics.trainer.report(JobState.COMPLETED);
    expect(await completions.of(metrics.job.runId)).toEqual({ metrics: {}, primaryMetric: "" });
  });
});

describe("a replica that is killed after a report, and again when the job has ended", () => {
  it("announces the metrics all the same", async () => {
    const home = newTestEnvironment("training");
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
    await using store = await connectDocumentStore({ uri, database, appName: "test" });
    await using replica = await new ServiceProcess({ program, home }).start();
    await using completions = await Completions.subscribe(home);
    const organisationId = randomUUID();
    const reporting = clientsAt(replica.address, { organisationId });
    const job = await newJob(reporting.clients, declaration);
    const lost = await new TestTrainer(reporting.clients, job).attach();
    await lost.report(JobState.RUNNING);
    const columns = [{ name: "accuracy", steps: [1], values: [0.5] }];
    const batch = { runId: job.runId, jobName: job.jobName, attachmentId: lost.attachmentId, counter: 1, columns };
    for await (const { durableCounter } of reporting.clients.trainers.report(once(batch))) {
      expect(durableCounter).toBe(1);
    }
    await lost[Symbol.asyncDispose]();
    reporting.transport.close();
    await replica.kill();
    await replica.start();
    const ending = clientsAt(replica.address, { organisationId });
    const trainer = await new TestTrainer(ending.clients, job).attach();
    await trainer.report(JobState.COMPLETED);
    await trainer[Symbol.asyncDispose]();
    ending.transport.close();
    await replica.kill();
    await replica.start();
    expect(await completions.of(job.runId)).toEqual({ metrics: { accuracy: 0.5 }, primaryMetric: "accuracy" });
    await replica.kill();
    await dropDatabase(store);
  });
});

async function* once<T>(message: T): AsyncGenerator<T> {
  yield message;
}
