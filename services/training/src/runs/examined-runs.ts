/** How many runs are looked at for a page, in order. */
export interface ExaminedBounds {
  /** At first. They tell how many more the page takes. */
  sample: number;
  /** In all. Where these do not fill the page, it ends early, and its cursor goes on behind them. */
  examined: number;
}

/** What a page has come to. */
export interface PageProgress {
  examined: number;
  found: number;
}

/** Runs are looked at in no smaller numbers: each question costs as much as some. */
const minCount = 50;
/** What is looked at beyond what the runs before let expect. */
const reserve = 1.25;

/** How many runs to look at next, to find one more than a page holds. */
export function nextCount({ examined, found }: PageProgress, limit: number, bounds: ExaminedBounds): number {
  if (examined === 0) return Math.min(bounds.sample, bounds.examined);
  const left = bounds.examined - examined;
  const expected = Math.ceil((reserve * (limit + 1 - found) * examined) / Math.max(found, 1));
  return Math.min(left, Math.max(minCount, expected));
}

/** Whether the first runs let expect that all that are looked at fill half of a page. */
export function fillsHalf(found: number, limit: number, { sample, examined }: ExaminedBounds): boolean {
  return (found / sample) * examined >= limit / 2;
}
