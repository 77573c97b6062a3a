import {
  type GetRunMetricsRequestSchema,
  type RunLiveMetrics,
  RunMetricsService,
  type WatchRunMetricsRequestSchema,
} from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { JobState, type TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import {
  type ReportRequestSchema,
  type ReportResponse,
  TrainerService,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { clientsAt, type JobName, newJob, TestTrainer, type TrainingRig } from "./training-rig.ts";

export type ReportInit = Omit<MessageInitShape<typeof ReportRequestSchema>, "$typeName">;

/** A series as readers see it. */
export interface Series {
  steps: number[];
  values: (number | string)[];
  segments: number[];
  sampled: boolean;
}

/** What a reader asks for beside the run. */
export type ReadQuery = Omit<MessageInitShape<typeof GetRunMetricsRequestSchema>, "$typeName" | "runId" | "pipelineId">;
export type WatchQuery = Omit<
  MessageInitShape<typeof WatchRunMetricsRequestSchema>,
  "$typeName" | "runId" | "pipelineId"
>;

/** One running job with a trainer that reports, and readers at any replica. */
export class MetricsRig implements AsyncDisposable {
  readonly job: JobName;
  readonly trainer: TestTrainer;
  readonly #rig: TrainingRig;
  readonly #transports: { close(): void }[] = [];
  #counter = 0;

  private constructor(rig: TrainingRig, job: JobName, trainer: TestTrainer) {
    this.#rig = rig;
    this.job = job;
    this.trainer = trainer;
  }

  static async start(
    rig: TrainingRig,
    declaration: Omit<MessageInitShape<typeof TrainingJobSchema>, "$typeName"> = {},
  ): Promise<MetricsRig> {
    const clients = rig.as();
    const job = await newJob(clients, declaration);
    const trainer = await new TestTrainer(clients, job).attach();
    await trainer.report(JobState.RUNNING);
    return new MetricsRig(rig, job, trainer);
  }

  transport(replica = 0, organisationId = this.#rig.organisationId): Transport {
    const address = this.#rig.services[replica]?.addresses.grpc ?? "";
    const { transport } = clientsAt(address, { organisationId });
    this.#transports.push(transport);
    return transport;
  }

  reader(replica = 0, organisationId = this.#rig.organisationId): Client<typeof RunMetricsService> {
    return createClient(RunMetricsService, this.transport(replica, organisationId));
  }

  /** The next batch of points of `loss`, unless told otherwise. */
  batch(points: [step: number, value: number][], rest: ReportInit = {}): ReportInit {
    const columns = [{ name: "loss", steps: points.map(([step]) => step), values: points.map(([, value]) => value) }];
    return { ...this.trainer.address, counter: ++this.#counter, columns, ...rest };
  }

  /** Sends batches down one stream, and resolves with the answers. */
  async report(batches: ReportInit[], replica = 0): Promise<ReportResponse[]> {
    const trainers = createClient(TrainerService, this.transport(replica));
    const answers: ReportResponse[] = [];
    for await (const answer of trainers.report(from(batches))) answers.push(answer);
    return answers;
  }

  async read(query: ReadQuery = {}, replica = 0): Promise<RunLiveMetrics> {
    const { pipelineId, runId } = this.job;
    const { metrics } = await this.reader(replica).getRunMetrics({ pipelineId, runId, ...query });
    return metrics ?? Promise.reject(new Error("no metrics were answered"));
  }

  async series(query: ReadQuery = {}, replica = 0): Promise<Record<string, Series>> {
    return seriesOf(await this.read(query, replica));
  }

  /** Reads until what is read fits; for what other replicas only hear of. */
  async readUntil(
    fits: (metrics: RunLiveMetrics) => boolean,
    query: ReadQuery = {},
    replica = 0,
  ): Promise<RunLiveMetrics> {
    for (;;) {
      const metrics = await this.read(query, replica);
      if (fits(metrics)) return metrics;
    }
  }

  watch(query: WatchQuery, signal: AbortSignal, replica = 0) {
    const { pipelineId, runId } = this.job;
    return this.reader(replica)
      .watchRunMetrics({ pipelineId, runId, ...query }, { signal })
      [Symbol.asyncIterator]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.trainer[Symbol.asyncDispose]();
    for (const transport of this.#transports) transport.close();
  }
}

async function* from<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

export function seriesOf(metrics: RunLiveMetrics): Record<string, Series> {
  return JSON.parse(textOf(metrics.series));
}

export function textOf(document: { utf8: Uint8Array } | undefined): string {
  return Buffer.from(document?.utf8 ?? []).toString();
}
