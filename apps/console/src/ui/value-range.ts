/** The range of an axis whose values are all the same: a tenth of it more on both sides, so that the curve lies in the middle. */
export function flatRange(value: number): [min: number, max: number] {
  const margin = Math.abs(value) / 10 || 1;
  return [value - margin, value + margin];
}
