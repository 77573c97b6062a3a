/** A point of a metric as it travels through the fold. */
export interface Point {
  readonly step: number;
  readonly value: number;
  /** Sequence of the batch that brought it. */
  readonly sequence: number;
}

/** Points in the order in which they were accepted, as columns that grow geometrically. */
export class PointBuffer {
  steps: Uint32Array;
  values: Float64Array;
  sequences: Uint32Array;
  size = 0;

  constructor(capacity = 16) {
    this.steps = new Uint32Array(capacity);
    this.values = new Float64Array(capacity);
    this.sequences = new Uint32Array(capacity);
  }

  /** Bytes held, used or not. */
  get bytes(): number {
    return this.values.length * bytesPerPoint;
  }

  push(step: number, value: number, sequence: number): void {
    if (this.size === this.values.length) this.#grow(this.size + 1);
    const index = this.size++;
    this.steps[index] = step;
    this.values[index] = value;
    this.sequences[index] = sequence;
  }

  /** Appends the points of another buffer, beginning with the one at `from`. */
  append(other: PointBuffer, from: number): void {
    const size = this.size + (other.size - from);
    if (size > this.values.length) this.#grow(size);
    this.steps.set(other.steps.subarray(from, other.size), this.size);
    this.values.set(other.values.subarray(from, other.size), this.size);
    this.sequences.set(other.sequences.subarray(from, other.size), this.size);
    this.size = size;
  }

  /** Drops the oldest points, so that at most `count` remain. */
  keepNewest(count: number): void {
    const from = this.size - count;
    if (from <= 0) return;
    this.steps.copyWithin(0, from, this.size);
    this.values.copyWithin(0, from, this.size);
    this.sequences.copyWithin(0, from, this.size);
    this.size = count;
  }

  /** Index of the first point that is newer than `sequence`; sequences never fall. */
  firstAfter(sequence: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sequences[middle] ?? 0) > sequence) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #grow(size: number): void {
    const capacity = Math.max(size, this.values.length * 2);
    this.steps = grown(this.steps, new Uint32Array(capacity), this.size);
    this.values = grown(this.values, new Float64Array(capacity), this.size);
    this.sequences = grown(this.sequences, new Uint32Array(capacity), this.size);
  }
}

const bytesPerPoint = 16;

function grown<Column extends Uint32Array | Float64Array>(from: Column, to: Column, size: number): Column {
  to.set(from.subarray(0, size));
  return to;
}

/**
 * Indices of min and max of values [from, to), in ascending order; of at least two values.
 * NaN is never an extreme: it is chosen only to fill a place that no comparable value needs. Of equal values the first
 * is the extreme, and the range's last (or first) takes the place that is left.
 */
export function extremesOf(values: Float64Array, from: number, to: number): [number, number] {
  let low = -1;
  let high = -1;
  for (let index = from; index < to; index++) {
    const value = values[index] ?? Number.NaN;
    if (value < (values[low] ?? Number.POSITIVE_INFINITY) || (low < 0 && value === Number.POSITIVE_INFINITY))
      low = index;
    if (value > (values[high] ?? Number.NEGATIVE_INFINITY) || (high < 0 && value === Number.NEGATIVE_INFINITY))
      high = index;
  }
  return pairOf(low, high, from, to - 1);
}

/** Two different places out of the extremes (-1: there is none) and the ends of a range. */
export function pairOf(low: number, high: number, first: number, last: number): [number, number] {
  const a = low < 0 ? first : low;
  const b = high < 0 ? last : high;
  if (a !== b) return a < b ? [a, b] : [b, a];
  return a === last ? [first, a] : [a, last];
}
