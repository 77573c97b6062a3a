import type { JobEntry } from "./job-entry.ts";
import type { JobSnapshot } from "./job-snapshot.ts";

const maxUnread = 10_000;

/** An entry that is durable, and the job after it. */
export interface JobChange {
  entry: JobEntry;
  job: JobSnapshot;
}

/** A reader fell too far behind; it has to start again from a position it knows. */
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
  #unread: JobChange[] = [];
  #overrun = false;
  #last: number;
  #signal: (() => void) | undefined;

  constructor(start: JobSnapshot, close: () => void) {
    this.start = start;
    this.#last = start.position;
    this.#close = close;
  }

  /** Takes an entry; one that is known already, or comes too early, is left out. */
  push(change: JobChange): void {
    if (change.job.position !== this.#last + 1) return;
    this.#last = change.job.position;
    if (this.#unread.length >= maxUnread) this.#overrun = true;
    else this.#unread.push(change);
    this.#signal?.();
  }

  /** The next entries, as soon as there are any; none after `milliseconds`, or when the signal says so. */
  async next(milliseconds: number, signal: AbortSignal): Promise<JobChange[]> {
    if (this.#unread.length === 0 && !this.#overrun && !signal.aborted) await this.#something(milliseconds, signal);
    if (this.#overrun) throw new FollowerOverrunError();
    const unread = this.#unread;
    this.#unread = [];
    return unread;
  }

  /** Has `next` return at once: there is something else to look at than entries. */
  wake(): void {
    this.#signal?.();
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  #something(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#signal = undefined;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener("abort", done, { once: true });
      this.#signal = done;
    });
  }
}
