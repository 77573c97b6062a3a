import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Run, RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { Workload } from "@aiplatform/trainer";
import { type RunningTrainer, runTrainer } from "@aiplatform/trainer";
import { type Client, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import type { Tracer } from "@opentelemetry/api";
import { asksForEvaluation } from "../evaluation/evaluation-plan.ts";
import { EvaluationWorkload } from "../evaluation/evaluation-workload.ts";
import { MnistWorkload } from "../mnist-workload.ts";
import { hasEnded, nextJob, type TakenJob } from "./next-job.ts";

export interface PipelineOptions {
  /** To the training service. */
  transport: Transport;
  /** With the permissions metrics:report and metrics:read. */
  apiKey: string;
  pipelineId: string;
  /** One directory a job below it. */
  directory: string;
  /** Where models to evaluate may lie besides. */
  modelDirectories: readonly string[];
  /** Bounds the pace of training; 0: as fast as it goes. */
  stepsPerSecond: number;
  /** Lines for the operator. */
  log: (line: string) => void;
  /** Makes the spans of commands; default: there are none. */
  tracer?: Tracer;
}

/** How long between two looks for what there is to do, ms. */
const pauseMs = 1_000;
/** Runs that are looked at, from the newest. */
const maxRuns = 1_000;

/** Takes the queued jobs of a pipeline's runs one after the other, and trains or evaluates as each is configured. */
export function workOffPipeline(options: PipelineOptions): RunningTrainer {
  const stopping = new AbortController();
  const worker = new PipelineWorker(options, stopping.signal);
  const done = worker.run().then(() => "stopped" as const);
  const stop = async () => {
    stopping.abort();
    await done;
  };
  return { done, stop, [Symbol.asyncDispose]: stop };
}

class PipelineWorker {
  readonly #options: PipelineOptions;
  readonly #stopping: AbortSignal;
  readonly #runs: Client<typeof RunService>;
  #silent = false;

  constructor(options: PipelineOptions, stopping: AbortSignal) {
    this.#options = options;
    this.#stopping = stopping;
    this.#runs = createClient(RunService, options.transport);
  }

  async run(): Promise<void> {
    while (!this.#stopping.aborted) {
      const job = await this.#next();
      // One that cannot be begun or gone on with is tried again: it may be the directory's or the platform's trouble.
      if (job)
        await this.#work(job).catch((error: unknown) => this.#options.log(`${job.jobName} of ${job.runId}: ${error}`));
      await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return setTimeout(pauseMs, undefined, { signal: this.#stopping }).catch(() => undefined);
  }

  #directoryOf(runId: string, jobName: string): string {
    return join(this.#options.directory, runId, jobName);
  }

  async #next(): Promise<TakenJob | undefined> {
    const runs = await this.#newestRuns();
    const isOwn = (runId: string, jobName: string) => existsSync(join(this.#directoryOf(runId, jobName), "state.json"));
    return runs && nextJob(runs, isOwn);
  }

  /** Newest first; undefined while the platform does not answer. */
  async #newestRuns(): Promise<Run[] | undefined> {
    const { pipelineId } = this.#options;
    const runs: Run[] = [];
    let cursor = "";
    do {
      const request = { pipelineId, limit: maxRuns - runs.length, cursor };
      const answer = await this.#asked(() => this.#runs.listRuns(request, this.#call));
      if (!answer) return undefined;
      runs.push(...answer.runs);
      cursor = answer.nextCursor;
    } while (cursor !== "" && runs.length < maxRuns);
    return runs;
  }

  /** Until the job has ended, another process has taken it over, or the worker is to stop. */
  async #work(job: TakenJob): Promise<void> {
    const { transport, apiKey, stepsPerSecond, log, tracer } = this.#options;
    const { runId, jobName } = job;
    const directory = this.#directoryOf(runId, jobName);
    log(`takes job ${jobName} of run ${runId}`);
    const options = {
      transport,
      apiKey,
      runId,
      jobName,
      directory,
      stepsPerSecond,
      log,
      ...(tracer ? { tracer } : {}),
    };
    await using trainer = await runTrainer(options, await this.#workloadOf(job, directory));
    const over = new AbortController();
    const done = trainer.done.finally(() => over.abort());
    const signal = AbortSignal.any([over.signal, this.#stopping]);
    while (!signal.aborted && !(await this.#hasEnded(job))) {
      await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    if (!over.signal.aborted) await trainer.stop();
    log(`is done with job ${jobName} of run ${runId}: ${await done}`);
  }

  async #workloadOf({ configuration }: TakenJob, directory: string): Promise<Workload> {
    const { directory: own, modelDirectories, log } = this.#options;
    if (asksForEvaluation(configuration)) return new EvaluationWorkload([own, ...modelDirectories]);
    return await MnistWorkload.open(directory, log);
  }

  /** A job that failed gets no command here: the next one is taken. */
  async #hasEnded({ runId, jobName }: TakenJob): Promise<boolean> {
    const answer = await this.#asked(() => this.#runs.getRun({ runId }, this.#call));
    const job = answer?.run?.jobs.find((each) => each.job?.name === jobName);
    return job !== undefined && hasEnded(job.state);
  }

  get #call() {
    const headers = { authorization: `Bearer ${this.#options.apiKey}` };
    return { headers, timeoutMs: 10_000, signal: this.#stopping };
  }

  /** Undefined while the platform does not answer; that is said once. */
  async #asked<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await ask();
      this.#silent = false;
      return answer;
    } catch (error) {
      if (this.#stopping.aborted) return undefined;
      if (!this.#silent) this.#options.log(`the pipeline cannot be looked at: ${ConnectError.from(error).message}`);
      this.#silent = true;
      return undefined;
    }
  }
}
