/** Where a medium stands among those of its name. */
export interface MediaPlace {
  _id: string;
  segment: number;
  step: number;
}

/**
 * Ids of those that are too many. Again and again the one goes whose neighbours stand closest together in steps, so that what stays
 * covers the whole training evenly: first those whose steps a newer segment has gone through again; of several, that of the lowest
 * step. The first and the last step stay.
 */
export function surplusOf(places: readonly MediaPlace[], max: number): string[] {
  const kept = places.toSorted((one, other) => one.step - other.step || one.segment - other.segment);
  const begins = new Map<number, number>();
  for (const { segment, step } of kept) begins.set(segment, begins.get(segment) ?? step);
  const isReplaced = (each: MediaPlace) =>
    [...begins].some(([segment, step]) => segment > each.segment && step <= each.step);
  const replaced = new Set(kept.filter(isReplaced));
  const surplus: string[] = [];
  while (kept.length > max) {
    const [removed] = kept.splice(crowdedIndex(kept, replaced), 1);
    if (removed) surplus.push(removed._id);
  }
  return surplus;
}

/** Above every step. */
const maxStep = 2 ** 32;

/** Index of the place that is missed least; 0 where there are but two. */
function crowdedIndex(places: readonly MediaPlace[], replaced: ReadonlySet<MediaPlace>): number {
  let [found, narrowest] = [0, Number.POSITIVE_INFINITY];
  for (let index = 1; index < places.length - 1; index++) {
    const [before, here, after] = [places[index - 1], places[index], places[index + 1]];
    if (!before || !here || !after) continue;
    const gap = after.step - before.step - (replaced.has(here) ? maxStep : 0);
    if (gap < narrowest) [found, narrowest] = [index, gap];
  }
  return found;
}
