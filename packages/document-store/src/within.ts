import { StoreTimeoutError } from "./errors.ts";

/** How long something may take. */
export interface TimeLimit {
  limitMs: number;
  /** Told when a third of the time is over. */
  slow?: () => void;
  /** Asked when the time is over: whether there is reason for as much time again. Default: never. */
  mayGoOn?: (sinceMs: number) => boolean;
}

/** As much time again that a call gets at most, where there is reason. */
const maxExtensions = 2;
const maxStepMs = 100;
/** A limit ends after so many times its length, however long this process is held up. */
const maxStretch = 4;

/**
 * Calls `expired` when the time is over; answers how to stop that. Time is counted in steps, and a step that takes longer
 * counts as one: while this process does not get the processor, it cannot read an answer that is there.
 */
export function startLimit({ limitMs, slow, mayGoOn }: TimeLimit, expired: () => void): () => void {
  const stepMs = Math.min(maxStepMs, limitMs / 3);
  const steps = Math.round(limitMs / stepMs);
  const slowStep = Math.round(steps / 3);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const begin = (extensionsLeft: number): void => {
    const since = performance.now();
    const end = () => {
      if (extensionsLeft > 0 && mayGoOn?.(since)) begin(extensionsLeft - 1);
      else expired();
    };
    const step = (number: number) => {
      const over = () => {
        if (isStopped) return;
        if (number === slowStep) slow?.();
        if (number < steps && performance.now() - since < limitMs * maxStretch) step(number + 1);
        else end();
      };
      // An answer that came while this process was busy is in the socket still: it is read before the check phase.
      timer = setTimeout(() => setImmediate(over), stepMs);
    };
    step(1);
  };
  begin(maxExtensions);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/**
 * The outcome of `call`, or {@link StoreTimeoutError} when its time is over. The call itself cannot be taken back: it goes on,
 * and what becomes of it is lost.
 */
export function within<R>(call: () => Promise<R>, limit: TimeLimit): Promise<R> {
  return new Promise((resolve, reject) => {
    const stop = startLimit(limit, () => reject(new StoreTimeoutError(limit.limitMs)));
    call().then(
      (result) => {
        stop();
        resolve(result);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}
