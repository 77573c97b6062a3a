import type { Segment } from "../job-log/job-snapshot.ts";
import {
  type AcceptedReport,
  type HeartbeatSource,
  type PhaseName,
  type Report,
  type ResourceUse,
  sensibleMs,
} from "../metric-reports/report.ts";
import { MetricSeries } from "./metric-series.ts";
import { PhaseClock, pausesBetween, type Span } from "./phase-clock.ts";

/** The newest line of a trainer's log. Times are milliseconds since 1970. */
export interface LatestLog {
  message: string;
  source: string;
  at: number;
}

/** What the log says about a job's points. */
export interface JobCuts {
  /** By segment: points of higher steps are archived. */
  archivedFromStep: ReadonlyMap<number, number>;
  pauses: readonly Span[];
}

/** The cuts as the log's segments have them. */
export function cutsOf(segments: readonly Segment[]): JobCuts {
  const cuts = segments.flatMap(({ index, archivedFromStep }) =>
    archivedFromStep === undefined ? [] : [[index, archivedFromStep] as const],
  );
  return { archivedFromStep: new Map(cuts), pauses: pausesBetween(segments) };
}

/** Whether points are folded alike under both. */
export function areCutsEqual(one: JobCuts, other: JobCuts): boolean {
  const { archivedFromStep: cuts } = one;
  return (
    cuts.size === other.archivedFromStep.size &&
    [...cuts].every(([at, step]) => other.archivedFromStep.get(at) === step)
  );
}

/** Bytes of a series' cached text, roughly. */
const cachedTextBytes = 16_384;

/** Live state of one job: the fold of its batches in the order of their sequence. */
export class JobLive {
  readonly series = new Map<string, MetricSeries>();
  readonly phases = new Map<PhaseName, PhaseClock>();
  currentPhase: PhaseName | undefined;
  latestLog: LatestLog | undefined;
  heartbeat: { at: number; source: HeartbeatSource } | undefined;
  resources: ResourceUse | undefined;
  /** When the first and the newest batch were accepted. */
  firstSeenAt: number | undefined;
  lastSeenAt = 0;
  /** When a batch last brought a step higher than any before it in its segment. */
  progressAt = 0;
  /** Bytes of the points held, and of the texts that are cached of them. */
  bytes = 0;
  /** Batches folded. */
  version = 0;
  cuts: JobCuts;
  readonly #newestStep = new Map<number, number>();

  constructor(cuts: JobCuts) {
    this.cuts = cuts;
  }

  /** Newest step in force of a segment. */
  newestStep(segment: number): number | undefined {
    return this.#newestStep.get(segment);
  }

  fold({ report, ...batch }: AcceptedReport): void {
    const acceptedAt = batch.acceptedAt.getTime();
    this.version++;
    this.firstSeenAt ??= acceptedAt;
    this.lastSeenAt = acceptedAt;
    for (const column of report.columns) {
      if (column.steps.length === 0) continue;
      const placement = {
        ...batch,
        archivedFromStep: this.cuts.archivedFromStep.get(batch.segment),
        at: sensibleMs(column.observedAtMs) ?? acceptedAt,
      };
      const series = this.#seriesOf(column.name);
      const before = series.bytes;
      series.add(column.steps, column.values, placement);
      this.bytes += series.bytes - before;
      if (!batch.archived) this.#progress(batch.segment, column.steps, acceptedAt);
    }
    this.#foldStatus(report, acceptedAt);
  }

  #seriesOf(name: string): MetricSeries {
    const known = this.series.get(name);
    if (known) return known;
    const series = new MetricSeries(name);
    this.series.set(name, series);
    this.bytes += cachedTextBytes;
    return series;
  }

  #progress(segment: number, steps: ArrayLike<number>, at: number): void {
    const before = this.#newestStep.get(segment) ?? -1;
    const cut = this.cuts.archivedFromStep.get(segment) ?? Number.POSITIVE_INFINITY;
    let newest = before;
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index] ?? 0;
      if (step > newest && step <= cut) newest = step;
    }
    if (newest === before) return;
    this.#newestStep.set(segment, newest);
    this.progressAt = at;
  }

  #foldStatus({ phases, latestLog, heartbeat, resources }: Report, acceptedAt: number): void {
    for (const { phase, status, at } of phases) {
      const clock = this.phases.get(phase) ?? new PhaseClock();
      this.phases.set(phase, clock);
      clock.change(status, at ?? acceptedAt, this.cuts.pauses);
      if (status === "running" || this.currentPhase === undefined) this.currentPhase = phase;
    }
    if (latestLog) this.latestLog = { ...latestLog, at: latestLog.at ?? acceptedAt };
    this.heartbeat = { at: heartbeat?.at ?? acceptedAt, source: heartbeat?.source ?? "trainer" };
    if (resources) this.resources = { ...resources, at: resources.at ?? acceptedAt };
  }
}
