import type { SeriesMessage } from "../../api/live-run.ts";
import { PointColumns } from "./point-columns.ts";

/** The points of a metric by the index of their segment. */
export type Stretches = ReadonlyMap<number, PointColumns>;

/** All points of a run, by metric and segment, and who draws them. */
export class SeriesStore {
  readonly #metrics = new Map<string, Map<number, PointColumns>>();
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Adds what came, and tells those who draw these metrics. */
  add(series: Readonly<Record<string, SeriesMessage>>): void {
    for (const [name, message] of Object.entries(series)) {
      if (message.steps.length === 0) continue;
      this.#append(name, message);
      this.#notify(name);
    }
  }

  /** Has everything drawn again: a rollback has made archived points of some. */
  redraw(): void {
    for (const name of this.#metrics.keys()) this.#notify(name);
  }

  stretches(name: string): Stretches {
    return this.#metrics.get(name) ?? new Map();
  }

  subscribe(name: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #append(name: string, { steps, values, segments }: SeriesMessage): void {
    const stretches = this.#metrics.get(name) ?? new Map<number, PointColumns>();
    this.#metrics.set(name, stretches);
    for (const [index, step] of steps.entries()) {
      const segment = segments[index] ?? 0;
      const columns = stretches.get(segment) ?? new PointColumns();
      stretches.set(segment, columns);
      columns.add(step, values[index] ?? Number.NaN);
    }
  }

  #notify(name: string): void {
    for (const listener of this.#listeners.get(name) ?? []) listener();
  }
}
