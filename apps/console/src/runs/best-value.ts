/** The best of some values by the goal of their metric; NaN where none is a finite number. */
export function bestOf(values: readonly number[], goal: "maximize" | "minimize"): number {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return Number.NaN;
  return goal === "minimize" ? Math.min(...finite) : Math.max(...finite);
}
