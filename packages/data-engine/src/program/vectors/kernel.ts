/** Rows of numbers behind each other. Behind the last one there is room for three more: rows are compared four at a time. */
export interface Matrix {
  readonly numbers: Float32Array;
  /** Numbers of a row. */
  readonly width: number;
}

/** Rows that are compared at once: the one that they are compared with is read once for all of them. */
const rowsAtOnce = 4;

export function newMatrix(rows: number, width: number): Matrix {
  return { numbers: new Float32Array((rows + rowsAtOnce - 1) * width), width };
}

/** Compares a row with four that follow each other. */
export type Comparison = (one: Matrix, oneRow: number, other: Matrix, otherRow: number, into: Float64Array) => void;

// Sums have 64 bits.

/** Their inner products. */
export const dots: Comparison = (one, oneRow, other, otherRow, into) => {
  const { numbers: a, width } = one;
  const { numbers: b } = other;
  const from = oneRow * width;
  const to0 = otherRow * width;
  const to1 = to0 + width;
  const to2 = to1 + width;
  const to3 = to2 + width;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let at = 0; at < width; at++) {
    const number = a[from + at] ?? 0;
    s0 += number * (b[to0 + at] ?? 0);
    s1 += number * (b[to1 + at] ?? 0);
    s2 += number * (b[to2 + at] ?? 0);
    s3 += number * (b[to3 + at] ?? 0);
  }
  into[0] = s0;
  into[1] = s1;
  into[2] = s2;
  into[3] = s3;
};

/** The squares of their distances. */
export const squaredDistances: Comparison = (one, oneRow, other, otherRow, into) => {
  const { numbers: a, width } = one;
  const { numbers: b } = other;
  const from = oneRow * width;
  const to0 = otherRow * width;
  const to1 = to0 + width;
  const to2 = to1 + width;
  const to3 = to2 + width;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let at = 0; at < width; at++) {
    const number = a[from + at] ?? 0;
    const d0 = number - (b[to0 + at] ?? 0);
    const d1 = number - (b[to1 + at] ?? 0);
    const d2 = number - (b[to2 + at] ?? 0);
    const d3 = number - (b[to3 + at] ?? 0);
    s0 += d0 * d0;
    s1 += d1 * d1;
    s2 += d2 * d2;
    s3 += d3 * d3;
  }
  into[0] = s0;
  into[1] = s1;
  into[2] = s2;
  into[3] = s3;
};

/** One row of a matrix. */
export interface MatrixRow {
  readonly matrix: Matrix;
  readonly row: number;
}

/** Rows of a matrix that follow each other. */
interface MatrixRows {
  readonly matrix: Matrix;
  readonly first: number;
  readonly count: number;
}

const four = new Float64Array(rowsAtOnce);

/** Compares a row with others, one after another. */
export function eachCompared(
  compare: Comparison,
  { matrix: one, row }: MatrixRow,
  { matrix: other, first, count }: MatrixRows,
  take: (row: number, value: number) => void,
): void {
  for (let at = 0; at < count; at += rowsAtOnce) {
    compare(one, row, other, first + at, four);
    for (let more = 0; more < rowsAtOnce && at + more < count; more++) take(first + at + more, four[more] ?? 0);
  }
}
