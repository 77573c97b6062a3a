import { type Centres, centresAmong, centresOf, eachDistance, nearestCentre } from "./k-means.ts";
import { type Matrix, type MatrixRow, newMatrix } from "./kernel.ts";
import { NearestList } from "./nearest-list.ts";
import { newRandom } from "./random.ts";

/** Cells that share a group. */
interface Group {
  readonly first: number;
  readonly count: number;
}

/** Parts of the space, each with a centre: what is near a point is in the cells whose centres are near it. */
export class Cells {
  readonly centres: Centres;
  readonly #groups: readonly Group[];
  readonly #groupCentres: Centres;

  private constructor(centres: Centres, groups: readonly Group[], groupCentres: Centres) {
    this.centres = centres;
    this.#groups = groups;
    this.#groupCentres = groupCentres;
  }

  /** Cells of rows of a sample, which is divided into groups first: comparing a point with all centres would take most of the time. */
  static of(sample: Matrix, all: readonly number[], wanted: number): Cells {
    const random = newRandom();
    const groupCentres = centresAmong(sample, all, Math.round(Math.sqrt(wanted)), random);
    const members = Map.groupBy(all, (row) => nearestCentre(groupCentres, { matrix: sample, row }));
    const parts: Centres[] = [];
    const groups: Group[] = [];
    let first = 0;
    for (let group = 0; group < groupCentres.count; group++) {
      const own = members.get(group) ?? [];
      const part =
        own.length > 0 ? centresAmong(sample, own, Math.round((wanted * own.length) / all.length), random) : undefined;
      groups.push({ first, count: part?.count ?? 0 });
      first += part?.count ?? 0;
      if (part) parts.push(part);
    }
    return new Cells(joined(parts, first), groups, groupCentres);
  }

  /** The cell of a point: the nearest of the groups that are near it. */
  cellOf(point: MatrixRow): number {
    const near = new NearestList(groupsLookedAt);
    const all = { first: 0, count: this.#groupCentres.count };
    eachDistance(this.#groupCentres, point, all, (group, distance) => {
      if ((this.#groups[group]?.count ?? 0) > 0) near.offer(group, distance);
    });
    const best = new NearestList(1);
    for (const { row: group } of near.list()) {
      const within = this.#groups[group] ?? { first: 0, count: 0 };
      eachDistance(this.centres, point, within, (cell, distance) => best.offer(cell, distance));
    }
    return best.list()[0]?.row ?? 0;
  }
}

const groupsLookedAt = 3;

function joined(parts: readonly Centres[], count: number): Centres {
  const width = parts[0]?.matrix.width ?? 0;
  const matrix = newMatrix(count, width);
  let at = 0;
  for (const part of parts) {
    matrix.numbers.set(part.matrix.numbers.subarray(0, part.count * width), at);
    at += part.count * width;
  }
  return centresOf(matrix, count);
}

/** All cells, the nearest first. */
export function cellsByDistance(centres: Centres, point: MatrixRow): number[] {
  const distances = new Float64Array(centres.count);
  eachDistance(centres, point, { first: 0, count: centres.count }, (cell, distance) => {
    distances[cell] = distance;
  });
  return Array.from(distances, (_, cell) => cell).toSorted(
    (one, other) => (distances[one] ?? 0) - (distances[other] ?? 0),
  );
}
