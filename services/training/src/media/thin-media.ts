/** Where a medium stands among those of its name. */
export interface MediaPlace {
  _id: string;
  segment: number;
  step: number;
}

/**
 * Ids of those that are too many. Again and again the one goes whose neighbours stand closest together in steps, so that what stays
 * covers the whole training evenly; of several, that of the oldest segment and the lowest step. The first and the last stay.
 */
export function surplusOf(places: readonly MediaPlace[], max: number): string[] {
  const kept = places.toSorted((one, other) => one.step - other.step || one.segment - other.segment);
  const surplus: string[] = [];
  while (kept.length > max) {
    const [removed] = kept.splice(crowdedIndex(kept), 1);
    if (removed) surplus.push(removed._id);
  }
  return surplus;
}

/** Index of the place that is missed least; 0 where there are but two. */
function crowdedIndex(places: readonly MediaPlace[]): number {
  let [found, narrowest] = [0, Number.POSITIVE_INFINITY];
  for (let index = 1; index < places.length - 1; index++) {
    const [before, here, after] = [places[index - 1], places[index], places[index + 1]];
    if (!before || !here || !after) continue;
    const gap = after.step - before.step;
    const isOlder = gap === narrowest && here.segment < (places[found]?.segment ?? 0);
    if (gap < narrowest || isOlder) [found, narrowest] = [index, gap];
  }
  return found;
}
