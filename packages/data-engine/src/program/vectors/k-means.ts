import { dots, eachCompared, type Matrix, type MatrixRow, newMatrix } from "./kernel.ts";

/** Rounds after which centres hardly move. */
const rounds = 8;

/** Points that stand for those around them. */
export interface Centres {
  readonly matrix: Matrix;
  readonly count: number;
  /** Half of the square of each length: with the product it says which centre is nearest. */
  readonly halves: Float64Array;
}

/** Centres of the first `count` rows. */
export function centresOf(matrix: Matrix, count: number): Centres {
  const halves = Float64Array.from({ length: count }, (_, row) => {
    let sum = 0;
    for (let at = row * matrix.width; at < (row + 1) * matrix.width; at++) sum += (matrix.numbers[at] ?? 0) ** 2;
    return sum / 2;
  });
  return { matrix, count, halves };
}

/** How far a point is from centres, up to what is the same for all of them. */
export function eachDistance(
  { matrix, halves }: Centres,
  point: MatrixRow,
  { first, count }: { readonly first: number; readonly count: number },
  take: (centre: number, distance: number) => void,
): void {
  eachCompared(dots, point, { matrix, first, count }, (row, product) => take(row, (halves[row] ?? 0) - product));
}

/** The nearest of the centres. */
export function nearestCentre(centres: Centres, point: MatrixRow): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  eachDistance(centres, point, { first: 0, count: centres.count }, (centre, distance) => {
    if (!(distance < least)) return;
    least = distance;
    nearest = centre;
  });
  return nearest;
}

/** Centres of some rows of a matrix by Lloyd's algorithm, which begins with rows by chance. At most as many as there are rows. */
export function centresAmong(
  points: Matrix,
  rows: readonly number[],
  wanted: number,
  random: (bound: number) => number,
): Centres {
  const { width } = points;
  const count = Math.max(1, Math.min(wanted, rows.length));
  let centres = centresOf(chosen(points, rows, { count, random }), count);
  for (let round = 0; round < rounds; round++) {
    const sums = new Float64Array(count * width);
    const members = new Uint32Array(count);
    for (const row of rows) {
      const centre = nearestCentre(centres, { matrix: points, row });
      members[centre] = (members[centre] ?? 0) + 1;
      for (let at = 0; at < width; at++)
        sums[centre * width + at] = (sums[centre * width + at] ?? 0) + (points.numbers[row * width + at] ?? 0);
    }
    const moved = newMatrix(count, width);
    for (let at = 0; at < sums.length; at++) {
      const size = members[Math.floor(at / width)] ?? 0;
      // One that nothing is near stays where it is.
      moved.numbers[at] = size > 0 ? (sums[at] ?? 0) / size : (centres.matrix.numbers[at] ?? 0);
    }
    centres = centresOf(moved, count);
  }
  return centres;
}

function chosen(
  points: Matrix,
  rows: readonly number[],
  { count, random }: { readonly count: number; readonly random: (bound: number) => number },
): Matrix {
  const left = [...rows];
  const matrix = newMatrix(count, points.width);
  for (let centre = 0; centre < count; centre++) {
    const at = random(left.length);
    const row = left[at] ?? 0;
    left[at] = left.at(-1) ?? 0;
    left.pop();
    matrix.numbers.set(points.numbers.subarray(row * points.width, (row + 1) * points.width), centre * points.width);
  }
  return matrix;
}
