import { type Figure, ratiosOf, type Spread, spreadOf } from "./harness/figure.ts";

/** What is promised of a figure: of its ratio to the floor, or of its value where `of` says so. */
export interface Goal {
  /** Id of the figure. */
  readonly figure: string;
  /** Default: the ratio to the floor. */
  readonly of?: "value";
  /** The goal is to stay at or below this. */
  readonly max?: number;
  /** The goal is to stay at or above this. */
  readonly min?: number;
}

export type Verdict = "met" | "missed" | "not measured";

/** A figure as a result file keeps it. */
export interface FigureSummary extends Spread {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  readonly rounds: number;
  readonly floor?: Spread & { readonly name: string };
  readonly ratio?: Spread;
}

export function summaryOf(figure: Figure): FigureSummary {
  const { id, name, unit, values, floor } = figure;
  const ratios = ratiosOf(figure);
  return {
    ...{ id, name, unit, rounds: values.length, ...spreadOf(values) },
    ...(floor && { floor: { name: floor.name, ...spreadOf(floor.values) } }),
    ...(ratios && { ratio: spreadOf(ratios) }),
  };
}

/** What the goal looks at: the ratio or the value; undefined where the figure was not measured, or has no floor. */
export function judgedSpread(goal: Goal, figures: readonly FigureSummary[]): Spread | undefined {
  const figure = figures.find(({ id }) => id === goal.figure);
  const spread = goal.of === "value" ? figure : figure?.ratio;
  return spread && Number.isFinite(spread.median) ? spread : undefined;
}

/** Whether the median keeps the goal. */
export function verdictOf(goal: Goal, figures: readonly FigureSummary[]): Verdict {
  const spread = judgedSpread(goal, figures);
  if (spread === undefined) return "not measured";
  const { max = Number.POSITIVE_INFINITY, min = Number.NEGATIVE_INFINITY } = goal;
  return spread.median <= max && spread.median >= min ? "met" : "missed";
}

/** `≤ 1.25 ×`, or with the unit of a value. */
export function goalText({ max, min, of }: Goal, unit: string): string {
  const sign = max === undefined ? `≥ ${min}` : `≤ ${max}`;
  return `${sign} ${of === "value" ? unit : "×"}`.trim();
}

/** How far a figure may fall behind the newest result before it counts as a regression. */
export const maxFall = 1 / 3;

/** Whether it is more than a third worse than before: in the direction that the goal names. */
export function hasFallen(goal: Goal, before: readonly FigureSummary[], now: readonly FigureSummary[]): boolean {
  const [earlier, later] = [judgedSpread(goal, before), judgedSpread(goal, now)];
  if (earlier === undefined || later === undefined) return false;
  const kept = goal.max === undefined ? later.median / earlier.median : earlier.median / later.median;
  return kept < 1 - maxFall;
}
