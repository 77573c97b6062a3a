import { extremesOf } from "./point-buffer.ts";

/**
 * Which of `count` values to show when at most `bound` may be: ascending indices.
 *
 * The first and the last are always among them (with a bound of 1 only the last). The values between are cut into
 * stretches of equal length of which min and max survive, so none of the extremes of the whole is lost
 * from a bound of 4 on; with 3 there is room for one of them, and it is the max unless an end is as great.
 */
export function downsample(values: Float64Array, count: number, bound: number): Uint32Array {
  if (count <= bound) return Uint32Array.from({ length: count }, (_, index) => index);
  if (bound <= 0) return new Uint32Array(0);
  if (bound === 1) return Uint32Array.of(count - 1);
  if (bound === 2) return Uint32Array.of(0, count - 1);
  if (bound === 3) return Uint32Array.of(0, middleOf(values, count), count - 1);
  return extremesByStretch(values, count, Math.floor((bound - 2) / 2));
}

function extremesByStretch(values: Float64Array, count: number, stretches: number): Uint32Array {
  const chosen = new Uint32Array(2 * stretches + 2);
  const between = count - 2;
  let size = 1;
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = 1 + Math.floor((stretch * between) / stretches);
    const to = 1 + Math.floor(((stretch + 1) * between) / stretches);
    const [a, b] = extremesOf(values, from, to);
    chosen[size++] = a;
    if (b !== a) chosen[size++] = b;
  }
  chosen[size++] = count - 1;
  return chosen.subarray(0, size);
}

function middleOf(values: Float64Array, count: number): number {
  let low = -1;
  let high = -1;
  for (let index = 1; index < count - 1; index++) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (low < 0 || value < (values[low] ?? 0)) low = index;
    if (high < 0 || value > (values[high] ?? 0)) high = index;
  }
  if (high < 0) return 1;
  const ends = Math.max(
    ...[values[0], values[count - 1]].filter((value) => value !== undefined && !Number.isNaN(value)).map(Number),
  );
  return (values[high] ?? 0) > ends ? high : low;
}
