/** Whole numbers below a bound: the same ones each time, so that the same vectors make the same file. */
export function newRandom(): (bound: number) => number {
  let state = 1;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}
