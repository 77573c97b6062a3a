import type { Written } from "./job-head.ts";
import type { JobSnapshot } from "./job-snapshot.ts";

const MOST_UNREAD = 10_000;

/** A reader fell too far behind; it has to start anew from a position it knows. */
export class FollowerOverrunError extends Error {
  override name = "FollowerOverrunError";
  constructor() {
    super("the follower does not keep up with the job; start again from the last position");
  }
}

/** Follows one job: a snapshot to begin with, then every entry after it, once and in order. */
export class JobFollower implements Disposable {
  /** The job when the following began. */
  readonly start: JobSnapshot;
  readonly #close: () => void;
  #unread: Written[] = [];
  #overrun = false;
  #last: number;
  #wake: (() => void) | undefined;

  constructor(start: JobSnapshot, close: () => void) {
    this.start = start;
    this.#last = start.position;
    this.#close = close;
  }

  /** Called by the log for every entry; one that is known already, or comes too early, is left out. */
  push(written: Written): void {
    if (written.job.position !== this.#last + 1) return;
    this.#last = written.job.position;
    if (this.#unread.length >= MOST_UNREAD) this.#overrun = true;
    else this.#unread.push(written);
    this.#wake?.();
  }

  /** The next entries, as soon as there are any; none after `milliseconds`, or when the signal says so. */
  async next(milliseconds: number, signal: AbortSignal): Promise<Written[]> {
    if (this.#unread.length === 0 && !this.#overrun && !signal.aborted) await this.#something(milliseconds, signal);
    if (this.#overrun) throw new FollowerOverrunError();
    const unread = this.#unread;
    this.#unread = [];
    return unread;
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  #something(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener("abort", done, { once: true });
      this.#wake = done;
    });
  }
}
