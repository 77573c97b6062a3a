import { type Matrix, newMatrix } from "./kernel.ts";
import { keyWidth, writeKey } from "./keys.ts";
import { lengthOf } from "./metrics.ts";
import { newRandom } from "./random.ts";
import { type VectorSource, vectorBatches } from "./vector-batches.ts";

/** Vectors for each cell from which its centre is found, and bytes of all of them. */
const rowsOfCell = 40;
const maxBytes = 64 * 1_048_576;

/** Some vectors by chance, their keys, and how long the longest of all vectors is. */
export interface Sample {
  readonly vectors: Matrix;
  readonly keys: Matrix;
  readonly rows: readonly number[];
  readonly longest: number;
}

/** A sample for so many cells. */
export async function sampleOf(
  source: VectorSource,
  { wanted, check }: { readonly wanted: number; readonly check: () => void },
): Promise<Sample> {
  const { metric, dimensions } = source;
  const bytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  const size = Math.max(wanted, Math.min(wanted * rowsOfCell, Math.floor(maxBytes / bytes)));
  const vectors = newMatrix(size, dimensions);
  const rows: number[] = [];
  const random = newRandom();
  let longest = 0;
  let seen = 0;
  for await (const { matrix, rows: batch } of vectorBatches(source)) {
    check();
    for (const [at, row] of batch.entries()) {
      longest = Math.max(longest, lengthOf(matrix, at));
      seen += 1;
      // Each vector has the same chance to stay, and at each place: the first ones of the sample are a sample as well.
      const place = random(seen);
      if (place >= size) continue;
      const end = rows.length;
      if (end < size) {
        rows[end] = rows[place] ?? row;
        vectors.numbers.copyWithin(end * dimensions, place * dimensions, (place + 1) * dimensions);
      }
      rows[place] = row;
      const vector = matrix.numbers.subarray(at * dimensions, (at + 1) * dimensions);
      vectors.numbers.set(vector, place * dimensions);
    }
  }
  const keys = metric === "dot" ? newMatrix(size, keyWidth(metric, dimensions)) : vectors;
  if (keys !== vectors)
    for (let row = 0; row < rows.length; row++) writeKey(metric, { matrix: vectors, row, longest }, keys, row);
  return { vectors, keys, rows, longest };
}
