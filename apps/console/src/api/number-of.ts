/** A number as the API says it: NaN and infinities are texts there. */
export function numberOf(value: unknown): number {
  return typeof value === "number" ? value : Number(value);
}
