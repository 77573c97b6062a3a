import type { Transport } from "@connectrpc/connect";
import type { Job } from "./run-with-jobs.ts";
import { attachTrainer } from "./trainer-stream.ts";

/** A trainer that reports many curves, of which it has trained nothing. */
export interface CurveReporter extends AsyncDisposable {
  /** The newest that is durable; 0 before the first report. */
  readonly step: number;
  /** Reports so many further points of each curve, and waits until they are durable. */
  report(points: number): Promise<void>;
}

/** Attaches a trainer to a job for reports of `curves` metrics. */
export async function curveReporter(
  transport: Transport,
  { apiKey, job, curves }: { apiKey: string; job: Job; curves: number },
): Promise<CurveReporter> {
  const trainer = await attachTrainer(transport, apiKey, job);
  let counter = 0;
  let last = 0;
  return {
    get step() {
      return last;
    },
    async report(points) {
      counter += 1;
      const columns = columnsOf({ from: last, points, curves });
      const batch = { ...trainer.address, counter, segmentIndex: 0, columns };
      const answers = trainer.trainers.report(only(batch), trainer.options);
      for await (const { durableCounter } of answers) if (durableCounter === counter) break;
      last += points;
    },
    [Symbol.asyncDispose]: () => trainer.close(),
  };
}

async function* only<T>(item: T) {
  yield item;
}

/** Noise on a curve that falls: what losses look like. Without randomness, so that each round draws the same. */
function columnsOf({ from, points, curves }: { from: number; points: number; curves: number }) {
  const steps = Array.from({ length: points }, (_, offset) => from + offset + 1);
  const observedAtMs = Date.now();
  return Array.from({ length: curves }, (_, metric) => ({
    name: metric === 0 ? "loss" : `metric_${metric}`,
    steps,
    values: steps.map((step) => 1 / Math.sqrt(step) + Math.sin(step * (metric + 7)) / 20),
    observedAtMs,
  }));
}
