/** Steps over which the learning rate rises from nothing to its peak. */
const warmUpSteps = 100;
/** What is left of the peak at the end. */
const floorShare = 0.01;

/** The learning rate of step `position` (0: the first) of a schedule: a linear rise, then half a cosine down. */
export function learningRateAt(peak: number, position: number, plannedSteps: number): number {
  const rise = Math.min(1, (position + 1) / warmUpSteps);
  const fallen = Math.min(1, position / plannedSteps);
  return peak * rise * (floorShare + (1 - floorShare) * 0.5 * (1 + Math.cos(Math.PI * fallen)));
}

/** Whether the evaluation at `step` takes all test images: at evaluations 1, 2, 4 and every eighth. */
export function isFullEvaluation(step: number, evalEvery: number): boolean {
  const evaluation = step / evalEvery;
  return evaluation === 1 || evaluation === 2 || evaluation === 4 || evaluation % 8 === 0;
}
