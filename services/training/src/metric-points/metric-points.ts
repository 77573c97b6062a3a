import type { SendMetricsRequest } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { InvalidFieldsError } from "@aiplatform/service-host";

/** The points of one metric, as reports have them. */
export interface PointColumn {
  name: string;
  steps: number[];
  values: number[];
  /** 0: not said. */
  observedAtMs: number;
  agesMs?: number[];
}

/**
 * The points of a request by metric, ordered by name, so that requests that say the same are the same batch.
 * @throws InvalidFieldsError when it has neither points nor media, or those of `metrics` have no step
 */
export function columnsOf({
  metrics,
  step,
  points,
  media,
}: Pick<SendMetricsRequest, "metrics" | "step" | "points" | "media">): PointColumn[] {
  const hasOwn = Object.keys(metrics).length > 0;
  if (!hasOwn && points.length === 0 && media.length === 0) throw required("metrics");
  if (hasOwn && step === undefined) throw required("step");
  const columns = new Map<string, PointColumn>();
  for (const point of hasOwn ? [{ metrics, step: step ?? 0 }, ...points] : points) {
    for (const [name, value] of Object.entries(point.metrics)) {
      const column = columns.get(name) ?? { name, steps: [], values: [], observedAtMs: 0 };
      column.steps.push(point.step);
      column.values.push(value);
      columns.set(name, column);
    }
  }
  return [...columns.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function required(field: string): InvalidFieldsError {
  return new InvalidFieldsError([{ field, reason: "REQUIRED", description: "is required" }]);
}
