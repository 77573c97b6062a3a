/** What a bench has measured. */
export interface Figure {
  /** Names it in goals and result files; stays the same from commit to commit. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly unit: string;
  /** One value for each round. */
  readonly values: readonly number[];
  /** What it is compared with, measured in turns with it: a value for each round as well. */
  readonly floor?: { readonly name: string; readonly values: readonly number[] };
}

/** Median, min and max. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The value that so much of all is below, such as 0.99; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** `1.23 [1.10-1.40]`: median, min and max. Default 2 digits. */
export function spread(values: readonly number[], digits = 2): string {
  return values.length === 0 ? "-" : spreadText(spreadOf(values), digits);
}

export function spreadText({ median: middle, min, max }: Spread, digits = 2): string {
  const fixed = (value: number) => value.toFixed(digits);
  return `${fixed(middle)} [${fixed(min)}-${fixed(max)}]`;
}

/** The figure over its floor, round by round: both met the same moment of the machine. Undefined without a floor. */
export function ratiosOf({ values, floor }: Pick<Figure, "values" | "floor">): number[] | undefined {
  return floor && values.map((value, round) => value / (floor.values[round] ?? Number.NaN));
}

/** As many digits as a reader needs. */
export function digitsOf(value: number): number {
  if (Math.abs(value) >= 100) return 0;
  return Math.abs(value) >= 10 ? 1 : 2;
}
