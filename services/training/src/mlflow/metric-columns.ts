import type { PointColumn } from "../metric-points/metric-points.ts";

/** A value of a metric, as MLflow's clients log it. */
export interface LoggedMetric {
  key: string;
  value: number;
  step: number;
  /** When it was taken, milliseconds since 1970; 0: not said. */
  timestamp: bigint;
}

/** Beyond this age, the time of a point is not kept to the millisecond. */
const maxAgeMs = 0xffff_ffff;

/** The values by metric, ordered by name, so that requests that say the same are the same batch. */
export function metricColumns(metrics: readonly LoggedMetric[]): PointColumn[] {
  const byName = [...Map.groupBy(metrics, ({ key }) => key)];
  return byName.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, points]) => columnOf(name, points));
}

function columnOf(name: string, points: readonly LoggedMetric[]): PointColumn {
  const times = points.map(({ timestamp }) => Number(timestamp));
  const observedAtMs = times.reduce((newest, time) => Math.max(newest, time), 0);
  const agesMs = times.map((time) => (time === 0 ? 0 : Math.min(observedAtMs - time, maxAgeMs)));
  return {
    ...{ name, observedAtMs },
    steps: points.map(({ step }) => step),
    values: points.map(({ value }) => value),
    // Points of one time, as most are, need no ages.
    ...(agesMs.some((age) => age > 0) ? { agesMs } : {}),
  };
}
