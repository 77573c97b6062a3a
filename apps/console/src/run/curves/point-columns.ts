/** Most points that a stretch keeps; a longer one is thinned, so that the memory of a page has a bound. */
const maxPoints = 16_384;

/** Points of one metric in one segment, by ascending step, in columns that grow. */
export class PointColumns {
  #steps = new Float64Array(256);
  #values = new Float64Array(256);
  length = 0;

  get steps(): Float64Array {
    return this.#steps.subarray(0, this.length);
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.length);
  }

  /** Adds a point. A step that is there already has the newer value; one before the last is of a repeated report and is left out. */
  add(step: number, value: number): void {
    const last = this.length > 0 ? (this.#steps[this.length - 1] ?? 0) : Number.NEGATIVE_INFINITY;
    if (step < last) return;
    if (step === last) {
      this.#values[this.length - 1] = value;
      return;
    }
    if (this.length === maxPoints) this.#thin();
    if (this.length === this.#steps.length) this.#grow();
    this.#steps[this.length] = step;
    this.#values[this.length] = value;
    this.length += 1;
  }

  #grow(): void {
    const [steps, values] = [this.#steps, this.#values];
    this.#steps = new Float64Array(steps.length * 2);
    this.#values = new Float64Array(values.length * 2);
    this.#steps.set(steps);
    this.#values.set(values);
  }

  #thin(): void {
    const [steps, values] = thinned(this.steps, this.values, maxPoints / 4);
    this.#steps.set(steps);
    this.#values.set(values);
    this.length = steps.length;
  }
}

/**
 * At most two points of each of `buckets` equal stretches: the smallest and the largest, in their order. No extreme is lost, and the
 * first and the last point stay.
 */
export function thinned(steps: Float64Array, values: Float64Array, buckets: number): [number[], number[]] {
  const count = steps.length;
  if (count <= buckets * 2) return [Array.from(steps), Array.from(values)];
  const keptSteps: number[] = [];
  const keptValues: number[] = [];
  const keep = (index: number) => {
    keptSteps.push(steps[index] ?? 0);
    keptValues.push(values[index] ?? 0);
  };
  const size = (count - 2) / (buckets - 1);
  keep(0);
  for (let bucket = 0; bucket < buckets - 1; bucket += 1) {
    const [low, high] = extremes(values, 1 + Math.floor(bucket * size), 1 + Math.floor((bucket + 1) * size));
    keep(Math.min(low, high));
    if (low !== high) keep(Math.max(low, high));
  }
  keep(count - 1);
  return [keptSteps, keptValues];
}

/** Where the smallest and the largest value stand from `from` up to `to`. */
function extremes(values: Float64Array, from: number, to: number): [low: number, high: number] {
  let low = from;
  let high = from;
  for (let index = from + 1; index < to; index += 1) {
    const value = values[index] ?? 0;
    if (value < (values[low] ?? 0)) low = index;
    if (value > (values[high] ?? 0)) high = index;
  }
  return [low, high];
}
