import { LRUCache } from "lru-cache";
import type { ResourceUse } from "../metric-reports/report.ts";
import type { JobLive } from "./job-live.ts";
import type { MetricSeries, SeriesQuery } from "./metric-series.ts";
import { numberJson } from "./series-json.ts";

/** Which metrics, and what of each. */
export interface MetricsQuery extends Omit<SeriesQuery, "maxPoints"> {
  /** Empty: all. */
  names: readonly string[];
  /** Of each metric; 0: none. Absent: {@link maxPointsOf} decides. */
  maxPoints?: number;
}

const defaultMaxPoints = 200;
/** Each takes at most 47 bytes as JSON, so all of them less than 1 MB. */
const defaultTotalPoints = 20_000;

/** Max points of each of so many metrics. */
export function maxPointsOf({ maxPoints }: Pick<MetricsQuery, "maxPoints">, metricCount: number): number {
  return maxPoints ?? Math.min(defaultMaxPoints, Math.floor(defaultTotalPoints / Math.max(1, metricCount)));
}

/** `metrics` and `series` as UTF-8 JSON. */
export interface MetricDocuments {
  metrics: Uint8Array;
  series: Uint8Array;
}

interface CachedDocuments extends MetricDocuments {
  job: JobLive;
  version: number;
}

const overhead = 256;
const nothing = Buffer.from("{}");

/** Renders what readers see of a job's metrics, once per query and version. */
export class MetricDocumentCache {
  readonly #cache: LRUCache<string, CachedDocuments>;

  /** `maxBytes`: of rendered text. */
  constructor(maxBytes: number) {
    this.#cache = new LRUCache({
      maxSize: maxBytes,
      // They are kept compressed, too, which is never more.
      sizeCalculation: ({ metrics, series }) => 2 * (metrics.length + series.length) + overhead,
    });
  }

  /** The documents of a job; `key` names run, job and query. */
  render(key: string, job: JobLive | undefined, query: MetricsQuery): MetricDocuments {
    if (!job) return { metrics: nothing, series: nothing };
    const known = this.#cache.get(key);
    if (known?.job === job && known.version === job.version) return known;
    const asked = [...wanted(job, query.names)];
    const metrics = Buffer.from(metricsJson(asked));
    const series = query.maxPoints === 0 ? nothing : Buffer.from(seriesDocument(asked, query));
    const rendered = { job, version: job.version, metrics, series };
    this.#cache.set(key, rendered);
    return rendered;
  }
}

/** The series that a query names; all when it names none. */
export function* wanted(job: JobLive, names: readonly string[]): Generator<MetricSeries> {
  if (names.length === 0) return yield* job.series.values();
  for (const name of new Set(names)) {
    const series = job.series.get(name);
    if (series) yield series;
  }
}

/** Newest value of each metric, whatever the sequence: it is part of the run's state. */
function metricsJson(asked: readonly MetricSeries[]): string {
  const entries: string[] = [];
  for (const series of asked) {
    const newest = series.newest();
    if (!newest) continue;
    const { value, step, at } = newest;
    entries.push(`${JSON.stringify(series.name)}:{"value":${numberJson(value)},"step":${step},"at":${dateJson(at)}}`);
  }
  return `{${entries.join(",")}}`;
}

function seriesDocument(asked: readonly MetricSeries[], query: MetricsQuery): string {
  const entries: string[] = [];
  const maxPoints = maxPointsOf(query, asked.length);
  for (const series of asked) {
    const json = series.json({ ...query, maxPoints });
    if (json) entries.push(`${JSON.stringify(series.name)}:${json}`);
  }
  return `{${entries.join(",")}}`;
}

/** `{devices, device_memory, cpu, memory, observed_at}` as JSON; `{}` before any sample. */
export function resourcesJson(use: ResourceUse | undefined): string {
  if (!use) return "{}";
  const { devices, deviceMemory, cpu, memory, at } = use;
  return `{"devices":${JSON.stringify(devices)},"device_memory":${deviceMemory ?? null},"cpu":${
    cpu === undefined ? null : numberJson(cpu)
  },"memory":${memory ?? null},"observed_at":${at === undefined ? null : dateJson(at)}}`;
}

/** A time in milliseconds since 1970 as a JSON date-time. */
function dateJson(ms: number): string {
  return `"${new Date(ms).toISOString()}"`;
}
