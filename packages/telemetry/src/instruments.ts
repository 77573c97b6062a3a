import type { Attributes, Counter, Meter, Observable, ObservableCallback, UpDownCounter } from "@opentelemetry/api";
import type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  LabelMeaning,
  LabelMeanings,
  LevelMetric,
  Metric,
  MetricTable,
  TotalMetric,
} from "./metric.ts";

type LabelValue<M extends LabelMeaning> = M extends readonly (infer V)[] ? V : string | number;

/** The labels of a measurement; nothing at all where the metric has none. */
export type Labels<L extends LabelMeanings> = keyof L extends never
  ? []
  : [labels: { readonly [K in keyof L]: LabelValue<L[K]> }];

/** Counts. */
export interface Counting<L extends LabelMeanings> {
  add(by: number, ...labels: Labels<L>): void;
}

/** Measures durations in seconds. */
export interface Timing<L extends LabelMeanings> {
  record(seconds: number, ...labels: Labels<L>): void;
}

/** Shows a value as it is at each scrape. */
export interface Showing<L extends LabelMeanings> {
  /** `look` is called at each scrape; what fails is left out. Answers how to stop. */
  observe(look: (report: (value: number, ...labels: Labels<L>) => void) => void | Promise<void>): () => void;
}

export type InstrumentOf<M extends Metric> =
  M extends CounterMetric<infer L>
    ? Counting<L>
    : M extends HistogramMetric<infer L>
      ? Timing<L>
      : M extends LevelMetric<infer L>
        ? Counting<L>
        : M extends GaugeMetric<infer L> | TotalMetric<infer L>
          ? Showing<L>
          : never;

export type Instruments<T extends MetricTable> = { readonly [K in keyof T]: InstrumentOf<T[K]> };

/**
 * The instruments of a table. A counter whose labels' values are all declared begins at zero in each of them, so that
 * the first increase is one. `meter` may be absent: nothing is measured then.
 */
export function createInstruments<T extends MetricTable>(meter: Meter | undefined, table: T): Instruments<T> {
  const made = Object.entries(table).map(([name, metric]) => [name, meter ? instrument(meter, name, metric) : idle]);
  return Object.fromEntries(made) as Instruments<T>;
}

type AnyLabels = [labels?: Attributes];
type Look = (report: (value: number, ...labels: AnyLabels) => void) => void | Promise<void>;

const idle = { add: () => {}, record: () => {}, observe: () => () => {} };

function instrument(meter: Meter, name: string, metric: Metric): object {
  const options = { description: metric.help };
  switch (metric.kind) {
    case "counter":
      return fromZero(meter.createCounter(name, options), metric);
    case "level":
      return fromZero(meter.createUpDownCounter(name, options), metric);
    case "histogram":
      return meter.createHistogram(name, {
        ...options,
        unit: "s",
        advice: { explicitBucketBoundaries: [...metric.buckets] },
      });
    case "gauge":
      return { observe: (look: Look) => observed(meter.createObservableGauge(name, options), look) };
    case "total":
      return { observe: (look: Look) => observed(meter.createObservableCounter(name, options), look) };
  }
}

function fromZero<I extends Counter | UpDownCounter>(instrument: I, { labels }: Metric): I {
  for (const each of combinations(labels)) instrument.add(0, each);
  return instrument;
}

function observed(instrument: Observable, look: Look): () => void {
  const callback: ObservableCallback = async (result) => {
    try {
      await look((value, labels) => result.observe(value, labels));
    } catch {
      // What cannot be looked at now is left out of this scrape; who reads it sees a gap.
    }
  };
  instrument.addCallback(callback);
  return () => instrument.removeCallback(callback);
}

/** Every combination of declared values; none where a label's values are not declared. */
function combinations(labels: LabelMeanings): Attributes[] {
  let found: Attributes[] = [{}];
  for (const [name, values] of Object.entries(labels)) {
    if (typeof values === "string") return [];
    found = found.flatMap((each) => values.map((value) => ({ ...each, [name]: value })));
  }
  return found;
}
