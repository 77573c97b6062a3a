import type { VectorMetric } from "../../requests.ts";
import { type Reach, reachLimits } from "./cell-file.ts";
import { cellsByDistance } from "./cells.ts";
import type { Centres } from "./k-means.ts";
import { eachCompared, type Matrix } from "./kernel.ts";
import { metricRules } from "./metrics.ts";
import { NearestList } from "./nearest-list.ts";
import type { VectorBatch } from "./vector-batches.ts";

/** Share of the nearest rows that a search is to find. */
const wantedRecall = 0.98;
const maxWanted = reachLimits.at(-1) ?? 0;

/** What is looked for to measure how many cells have to be looked at: vectors of a sample, and their keys. */
export interface Sought {
  readonly vectors: Matrix;
  readonly keys: Matrix;
  /** Rows that are the vectors themselves: these are not looked for. */
  readonly rows: readonly number[];
}

/** Compares all vectors with some of them, for their nearest rows in truth. */
export class TrueNeighbours {
  readonly #sought: Sought;
  readonly #metric: VectorMetric;
  readonly #lists: readonly NearestList[];

  constructor(metric: VectorMetric, sought: Sought) {
    this.#metric = metric;
    this.#sought = sought;
    this.#lists = sought.rows.map(() => new NearestList(maxWanted));
  }

  note({ matrix, rows }: VectorBatch): void {
    const { compare, distanceOf } = metricRules[this.#metric];
    const { vectors, rows: own } = this.#sought;
    const all = { matrix: vectors, first: 0, count: own.length };
    for (const [at, row] of rows.entries())
      eachCompared(compare, { matrix, row: at }, all, (place, compared) => {
        if (own[place] !== row) this.#lists[place]?.offer(row, distanceOf(compared));
      });
  }

  /** How many of the nearest cells have the nearest rows. `cellOf`: of each row. */
  reaches(centres: Centres, cellOf: Uint16Array): Reach[] {
    const places = this.#lists.map((list, at) => {
      const placeOf = new Uint32Array(centres.count);
      const inOrder = cellsByDistance(centres, { matrix: this.#sought.keys, row: at });
      for (const [place, cell] of inOrder.entries()) placeOf[cell] = place;
      return list.list().map(({ row }) => placeOf[cellOf[row] ?? 0] ?? 0);
    });
    return reachLimits.map((limit) => reachOf(places.flatMap((each) => each.slice(0, limit))));
  }
}

/** The least number of cells with which the wanted share is found. `places`: of the cells that have what is to be found, among all cells in their order. */
function reachOf(places: readonly number[]): Reach {
  const sorted = places.toSorted((one, other) => one - other);
  const last = sorted[Math.max(0, Math.ceil(sorted.length * wantedRecall) - 1)] ?? 0;
  const found = sorted.filter((place) => place <= last).length;
  return { cells: last + 1, recall: sorted.length === 0 ? 1 : found / sorted.length };
}
