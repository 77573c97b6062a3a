/** How often progress is looked at, in milliseconds. */
const everyMs = 250;

/**
 * Calls `stalled` once when `read` has answered the same for `limitMs`. Stop it when the wait is over.
 * Unlike a socket's own time limit it counts from before the connection is made, and for as many sockets as `read` adds up.
 */
export function watchProgress(o: { read: () => number; limitMs: number; stalled: () => void }): { stop(): void } {
  let [seen, since] = [o.read(), performance.now()];
  const look = () => {
    const now = o.read();
    if (now !== seen) [seen, since] = [now, performance.now()];
    else if (performance.now() - since >= o.limitMs) {
      clearInterval(timer);
      o.stalled();
    }
  };
  const timer = setInterval(look, Math.min(everyMs, o.limitMs)).unref();
  return { stop: () => clearInterval(timer) };
}
