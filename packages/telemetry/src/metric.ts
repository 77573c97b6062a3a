/** What a label stands for, in words, or each value it can have. */
export type LabelMeaning = string | readonly string[];
export type LabelMeanings = Readonly<Record<string, LabelMeaning>>;

/** Of a metric that has none. */
type NoLabels = Readonly<Record<never, never>>;

interface Declared<L extends LabelMeanings> {
  /** One sentence for who looks at it. */
  readonly help: string;
  /** Name → meaning. Values have to be few and never ids: each combination is a series for ever. */
  readonly labels: L;
  /** When it shows up, where that is not from the start on. */
  readonly appears: string | undefined;
}

/** Goes up. Its name ends with `_total`. */
export interface CounterMetric<L extends LabelMeanings = LabelMeanings> extends Declared<L> {
  readonly kind: "counter";
}

/** A distribution of durations, in seconds. Its name ends with `_seconds`. */
export interface HistogramMetric<L extends LabelMeanings = LabelMeanings> extends Declared<L> {
  readonly kind: "histogram";
  /** Upper bounds. */
  readonly buckets: readonly number[];
}

/** A number of things that come and go. */
export interface LevelMetric<L extends LabelMeanings = LabelMeanings> extends Declared<L> {
  readonly kind: "level";
}

/** A number as it is at each scrape. */
export interface GaugeMetric<L extends LabelMeanings = LabelMeanings> extends Declared<L> {
  readonly kind: "gauge";
}

/** Goes up, and is counted elsewhere: read at each scrape. Its name ends with `_total`. */
export interface TotalMetric<L extends LabelMeanings = LabelMeanings> extends Declared<L> {
  readonly kind: "total";
}

export type Metric = TotalMetric | CounterMetric | HistogramMetric | LevelMetric | GaugeMetric;

/** Each metric of a service or package once, by the name under which Prometheus has it. */
export type MetricTable = Readonly<Record<string, Metric>>;

interface Spec {
  readonly help: string;
  readonly labels?: LabelMeanings;
  readonly appears?: string;
}

type LabelsIn<S extends Spec> = S extends { readonly labels: infer L extends LabelMeanings } ? L : NoLabels;

/** Seconds; from a cached read to a long poll. */
const callBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

function declared<S extends Spec>({ help, labels = {}, appears }: S): Declared<LabelsIn<S>> {
  return { help, labels: labels as LabelsIn<S>, appears };
}

export const metric = {
  counter: <const S extends Spec>(spec: S): CounterMetric<LabelsIn<S>> => ({ kind: "counter", ...declared(spec) }),
  total: <const S extends Spec>(spec: S): TotalMetric<LabelsIn<S>> => ({ kind: "total", ...declared(spec) }),
  level: <const S extends Spec>(spec: S): LevelMetric<LabelsIn<S>> => ({ kind: "level", ...declared(spec) }),
  gauge: <const S extends Spec>(spec: S): GaugeMetric<LabelsIn<S>> => ({ kind: "gauge", ...declared(spec) }),
  /** Default buckets: 1 ms to 30 s. */
  histogram: <const S extends Spec & { readonly buckets?: readonly number[] }>(
    spec: S,
  ): HistogramMetric<LabelsIn<S>> => ({ kind: "histogram", ...declared(spec), buckets: spec.buckets ?? callBuckets }),
} as const;

const nameOf: Readonly<Record<Metric["kind"], RegExp>> = {
  counter: /^[a-z][a-z0-9_]*_total$/,
  total: /^[a-z][a-z0-9_]*_total$/,
  histogram: /^[a-z][a-z0-9_]*_seconds$/,
  level: /^[a-z][a-z0-9_]*(?<!_total)$/,
  gauge: /^[a-z][a-z0-9_]*(?<!_total)$/,
};

/** Declares a table of metrics. @throws TypeError for a name that is not spelled as its kind asks. */
export function defineMetrics<const T extends MetricTable>(table: T): T {
  for (const [name, { kind, labels }] of Object.entries(table)) {
    if (!nameOf[kind].test(name)) throw new TypeError(`${name} is not a name for a ${kind}`);
    for (const label of Object.keys(labels))
      if (!/^[a-z][a-z0-9_]*$/.test(label)) throw new TypeError(`${label} of ${name} is not a name for a label`);
  }
  return table;
}
