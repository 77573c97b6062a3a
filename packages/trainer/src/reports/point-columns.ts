/** Points of one metric, oldest first. */
export interface Column {
  steps: number[];
  values: number[];
  /** When the last point was taken, milliseconds since 1970. */
  observedAtMs: number;
}

/** Points by metric. */
export class PointColumns {
  readonly #columns = new Map<string, Column>();

  static of(columns: Iterable<[string, Column]>): PointColumns {
    const points = new PointColumns();
    for (const [metric, column] of columns) points.#columns.set(metric, column);
    return points;
  }

  get size(): number {
    return this.#columns.values().reduce((sum, { steps }) => sum + steps.length, 0);
  }

  add(metric: string, point: { step: number; value: number; atMs: number }): void {
    const column = this.#columns.get(metric) ?? { steps: [], values: [], observedAtMs: 0 };
    this.#columns.set(metric, column);
    column.steps.push(point.step);
    column.values.push(point.value);
    column.observedAtMs = point.atMs;
  }

  /** These points, then the others'. */
  followedBy(other: PointColumns): PointColumns {
    const metrics = new Set([...this.#columns.keys(), ...other.#columns.keys()]);
    return PointColumns.of(
      metrics.values().map((metric) => {
        const [early, late] = [this.#columns.get(metric), other.#columns.get(metric)];
        return [
          metric,
          {
            steps: [...(early?.steps ?? []), ...(late?.steps ?? [])],
            values: [...(early?.values ?? []), ...(late?.values ?? [])],
            observedAtMs: late?.observedAtMs ?? early?.observedAtMs ?? 0,
          },
        ];
      }),
    );
  }

  /** About half the points of each metric: of every four neighbours the least and the greatest. */
  thinned(): PointColumns {
    return PointColumns.of(this.#columns.entries().map(([metric, column]) => [metric, thin(column)]));
  }

  entries(): Iterable<[string, Column]> {
    return this.#columns.entries();
  }
}

function thin({ steps, values, observedAtMs }: Column): Column {
  const kept: number[] = [];
  for (let start = 0; start < steps.length; start += 4) {
    const group = Array.from({ length: Math.min(4, steps.length - start) }, (_, index) => start + index);
    const by = (a: number, b: number) => rank(values[a]) - rank(values[b]) || a - b;
    const sorted = group.toSorted(by);
    const extremes = new Set([sorted[0] ?? start, sorted.at(-1) ?? start]);
    kept.push(...[...extremes].toSorted((a, b) => a - b));
  }
  return { steps: kept.map((i) => steps[i] ?? 0), values: kept.map((i) => values[i] ?? 0), observedAtMs };
}

/** A value that is no number is worth keeping: it ranks highest. */
function rank(value = 0): number {
  return Number.isNaN(value) ? Number.MAX_VALUE : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
