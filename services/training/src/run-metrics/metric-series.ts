import { downsample } from "./downsample.ts";
import { type Point, PointBuffer } from "./point-buffer.ts";
import { PointColumn } from "./point-column.ts";
import { type SeriesSelection, seriesJson } from "./series-json.ts";

export interface SeriesQuery {
  /** 0: none. */
  maxPoints: number;
  /** Only points newer than this sequence; 0: all. */
  afterSequence: number;
  segment?: number;
  includeArchived: boolean;
}

/** Where the points of one batch belong. */
export interface Placement {
  segment: number;
  sequence: number;
  /** The whole batch came too late. */
  archived: boolean;
  /** Points of higher steps were archived by a later rollback or warm restart. */
  archivedFromStep: number | undefined;
  /** Milliseconds since 1970. */
  at: number;
}

interface SegmentColumns {
  segment: number;
  live: PointColumn;
  archived: PointColumn;
}

/** Texts of more points are not worth their memory: few ask for them. */
const maxCachedPoints = 1_000;

/** One metric of a job: its points by segment, those in force apart from those archived. */
export class MetricSeries {
  readonly name: string;
  /** By index; few. */
  #segments: SegmentColumns[] = [];
  /** Bytes of the points held. */
  bytes = 0;
  #cached: { key: string; json: string | undefined } | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Sequence of the newest point, archived or not. */
  newestSequence = 0;

  add(steps: ArrayLike<number>, values: ArrayLike<number>, placement: Placement): void {
    const { live, archived } = this.#columns(placement.segment);
    const before = live.bytes + archived.bytes;
    const cut = placement.archived ? -1 : (placement.archivedFromStep ?? Number.POSITIVE_INFINITY);
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index] ?? 0;
      const column = step > cut ? archived : live;
      column.add(step, values[index] ?? Number.NaN, placement.sequence);
      column.newestAt = placement.at;
    }
    this.bytes += live.bytes + archived.bytes - before;
    this.newestSequence = placement.sequence;
    this.#cached = undefined;
  }

  /** The newest point in force: that of the highest segment that has any. */
  newest(): (Point & { at: number }) | undefined {
    const column = this.#segments.findLast(({ live }) => live.newest)?.live;
    return column?.newest && { ...column.newest, at: column.newestAt };
  }

  /** The best point in force; the first of equals. NaN is never the best. */
  best(goal: "maximize" | "minimize"): { value: number; step: number } | undefined {
    let best: { value: number; step: number } | undefined;
    for (const { live } of this.#segments) {
      const candidate = goal === "maximize" ? live.highest : live.lowest;
      if (!candidate) continue;
      const better = !best || (goal === "maximize" ? candidate.value > best.value : candidate.value < best.value);
      if (better) best = candidate;
    }
    return best;
  }

  /** Undefined when there is nothing to show. Cached for readers with the same query. */
  json(query: SeriesQuery): string | undefined {
    if (query.afterSequence > 0 && this.newestSequence <= query.afterSequence) return undefined;
    const key = `${query.maxPoints}:${query.afterSequence}:${query.segment ?? ""}:${query.includeArchived}`;
    if (this.#cached?.key === key) return this.#cached.json;
    const selection = this.select(query);
    const json = selection && seriesJson(selection);
    if (query.maxPoints <= maxCachedPoints) this.#cached = { key, json };
    return json;
  }

  /** Undefined when there is nothing to show. */
  select({ maxPoints, afterSequence, segment, includeArchived }: SeriesQuery): SeriesSelection | undefined {
    const points = new PointBuffer(256);
    const stretches: { segment: number; from: number }[] = [];
    let complete = true;
    for (const columns of this.#segments) {
      if (segment !== undefined && columns.segment !== segment) continue;
      const from = points.size;
      complete = columns.live.collect(points, afterSequence) && complete;
      if (includeArchived) complete = columns.archived.collect(points, afterSequence) && complete;
      if (points.size > from) stretches.push({ segment: columns.segment, from });
    }
    if (points.size === 0) return undefined;
    const chosen = downsample(points.values, points.size, maxPoints);
    return { points, stretches, chosen, sampled: !complete || chosen.length < points.size };
  }

  #columns(segment: number): SegmentColumns {
    const known = this.#segments.at(-1);
    if (known?.segment === segment) return known;
    const found = this.#segments.find((columns) => columns.segment === segment);
    if (found) return found;
    const columns = { segment, live: new PointColumn(), archived: new PointColumn() };
    this.#segments = [...this.#segments, columns].sort((a, b) => a.segment - b.segment);
    this.bytes += columns.live.bytes + columns.archived.bytes;
    return columns;
  }
}
