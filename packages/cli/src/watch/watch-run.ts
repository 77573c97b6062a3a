import { setTimeout as pause } from "node:timers/promises";
import { answerOf, type PlatformClient } from "@aiplatform/client";
import { WaitFailedError } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { after, hasEnded, lineOf, screenOf, type WatchedRun } from "./watched-run.ts";

export interface WatchOptions {
  pipeline: string;
  run: string;
  /** Absent: the job declared first. */
  job?: string | undefined;
  metric?: string | undefined;
}

/** Where it is shown. */
export type WatchOutput = Pick<Invocation, "stdout" | "isTerminal" | "columns">;

const path = "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream";
/** Points of each metric in an event: as many as a wide terminal has dots. */
const maxPointsOfEvent = 500;
/** Pause between two streams, ms. */
const pauseMs = 500;
/** Between two lines of a run whose status stays, ms: a log is not to be flooded. */
const lineIntervalMs = 1_000;
const defaultColumns = 80;

/**
 * Shows a run until its job has ended: at a terminal as a curve that is drawn again and again, otherwise line by line.
 * @throws WaitFailedError when the job has ended without being completed, and what the client throws
 */
export async function watchRun(
  platform: PlatformClient,
  options: WatchOptions,
  output: WatchOutput,
  signal: AbortSignal | undefined,
): Promise<void> {
  const view = output.isTerminal ? new Screen(output) : new Lines(output);
  for (;;) {
    const ended = await follow(platform, options, view, signal);
    signal?.throwIfAborted();
    if (ended) return finish(platform, options, ended);
    await pause(pauseMs, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}

/** One stream, from the whole of the run on; undefined when the rest has to be read again. */
async function follow(
  platform: PlatformClient,
  { pipeline, run, job, metric }: WatchOptions,
  view: View,
  signal: AbortSignal | undefined,
): Promise<WatchedRun | undefined> {
  const stop = new AbortController();
  const query = {
    max_points: maxPointsOfEvent,
    ...(metric === undefined ? {} : { metric: [metric] }),
    ...(job === undefined ? {} : { job_name: job }),
  };
  const params = { path: { pipeline_id: pipeline, run_id: run }, query };
  const events = platform.events(path, params, signal ? AbortSignal.any([signal, stop.signal]) : stop.signal);
  let known: WatchedRun | undefined;
  try {
    for await (const { data } of events) {
      // Going back archives points that were told before.
      if (known && known.segment !== data.active_segment) return undefined;
      known = after(known, data, metric);
      await view.show(known);
      if (hasEnded(known)) return known;
    }
    return undefined;
  } finally {
    stop.abort();
  }
}

/** @throws WaitFailedError with what the platform knows of the end */
async function finish(
  platform: PlatformClient,
  { pipeline, run, job }: WatchOptions,
  { status }: WatchedRun,
): Promise<void> {
  if (status === "completed") return;
  const params = { path: { pipeline_id: pipeline, run_id: run } };
  const { jobs } = answerOf(await platform.GET("/platform/pipelines/{pipeline_id}/runs/{run_id}", { params }));
  const ended = job === undefined ? jobs[0] : jobs.find((each) => each.job?.name === job);
  throw new WaitFailedError(`${status}${ended?.detail ? `: ${ended.detail}` : ""}`);
}

interface View {
  show(run: WatchedRun): unknown;
}

/** A line whenever the status changes, and now and then in between. */
class Lines implements View {
  readonly #output: WatchOutput;
  #shown: { line: string; status: string; at: number } | undefined;

  constructor(output: WatchOutput) {
    this.#output = output;
  }

  show(run: WatchedRun): unknown {
    const line = lineOf(run);
    const [shown, at] = [this.#shown, performance.now()];
    const isEarly = shown?.status === run.status && at - shown.at < lineIntervalMs;
    if (isEarly || shown?.line === line) return undefined;
    this.#shown = { line, status: run.status, at };
    return this.#output.stdout(`${line}\n`);
  }
}

/** The same place of a terminal, drawn again. */
class Screen implements View {
  readonly #output: WatchOutput;
  #rows = 0;

  constructor(output: WatchOutput) {
    this.#output = output;
  }

  show(run: WatchedRun): unknown {
    const lines = screenOf(run, this.#output.columns ?? defaultColumns);
    const back = this.#rows > 0 ? `\u001b[${this.#rows}A\u001b[0J` : "";
    this.#rows = lines.length;
    return this.#output.stdout(`${back}${lines.join("\n")}\n`);
  }
}
