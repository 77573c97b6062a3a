import { type Check, type CheckReports, runChecks } from "./readiness.ts";

interface WatchOptions {
  /** Milliseconds that a check has before it counts as failed. */
  readonly timeoutMs: number;
  /** Milliseconds between two looks while what they find is read; default 2,000. */
  readonly everyMs?: number;
  /** Milliseconds between two looks while neither probes nor scrapes read what they find; default 15,000. */
  readonly restMs?: number;
  /** Milliseconds for which a reader counts; default 10,000. */
  readonly readerMs?: number;
}

/**
 * Looks again and again at the parts that a process can do without for a while: NATS, other services. It runs beside the
 * probes, so that a part that hangs delays none of them. While neither probes nor scrapes read what it finds, it looks less often: each look
 * costs the other process as well.
 */
export class DependencyWatch {
  readonly #checks: ReadonlyMap<string, Check>;
  readonly #timeoutMs: number;
  readonly #pauses: Required<Pick<WatchOptions, "everyMs" | "restMs" | "readerMs">>;
  #reports: CheckReports;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #readAt = performance.now();
  /** Whether the look that is due next waits for a reader. */
  #isResting = false;

  constructor(checks: Readonly<Record<string, Check>>, o: WatchOptions) {
    this.#checks = new Map(Object.entries(checks));
    this.#timeoutMs = o.timeoutMs;
    this.#pauses = { everyMs: o.everyMs ?? 2_000, restMs: o.restMs ?? 15_000, readerMs: o.readerMs ?? 10_000 };
    const unknown = { ok: false, ms: 0, error: "not looked at yet" };
    this.#reports = Object.fromEntries(Object.keys(checks).map((name) => [name, unknown]));
    if (this.#checks.size > 0) void this.#look();
  }

  /** What the last look found. After a rest the next look begins now. */
  reports(): CheckReports {
    this.read();
    return this.#reports;
  }

  /** What it finds is read. */
  read(): void {
    this.#readAt = performance.now();
    if (!this.#isResting || this.#closed) return;
    this.#isResting = false;
    clearTimeout(this.#timer);
    void this.#look();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const reports = await runChecks(this.#checks, this.#timeoutMs);
    if (this.#closed) return;
    this.#reports = reports;
    const { everyMs, restMs, readerMs } = this.#pauses;
    this.#isResting = performance.now() - this.#readAt > readerMs;
    const pauseMs = this.#isResting ? restMs : everyMs;
    this.#timer = setTimeout(() => {
      this.#isResting = false;
      void this.#look();
    }, pauseMs).unref();
  }
}
