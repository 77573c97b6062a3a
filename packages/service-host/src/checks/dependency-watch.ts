import { type Check, type CheckReports, runChecks } from "./readiness.ts";

interface WatchOptions {
  /** Milliseconds that a check has before it counts as failed. */
  readonly timeoutMs: number;
  /** Milliseconds between two looks; default 2,000. */
  readonly everyMs?: number;
}

/**
 * Looks again and again at the parts that a process can do without for a while: NATS, other services. It runs beside the
 * probes, so that the metric is right without them and a part that hangs delays none of them.
 */
export class DependencyWatch {
  readonly #checks: ReadonlyMap<string, Check>;
  readonly #timeoutMs: number;
  readonly #everyMs: number;
  #reports: CheckReports;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(checks: Readonly<Record<string, Check>>, { timeoutMs, everyMs = 2_000 }: WatchOptions) {
    this.#checks = new Map(Object.entries(checks));
    this.#timeoutMs = timeoutMs;
    this.#everyMs = everyMs;
    const unknown = { ok: false, ms: 0, error: "not looked at yet" };
    this.#reports = Object.fromEntries(Object.keys(checks).map((name) => [name, unknown]));
    if (this.#checks.size > 0) void this.#look();
  }

  /** What the last look found. */
  reports(): CheckReports {
    return this.#reports;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const reports = await runChecks(this.#checks, this.#timeoutMs);
    if (this.#closed) return;
    this.#reports = reports;
    this.#timer = setTimeout(() => void this.#look(), this.#everyMs).unref();
  }
}
