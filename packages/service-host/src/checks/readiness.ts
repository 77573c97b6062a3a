/** Resolves when a dependency answers; rejects, or outlasts its time, when it does not. */
export type Check = (signal: AbortSignal) => Promise<void>;

export interface CheckReport {
  readonly ok: boolean;
  readonly ms: number;
  readonly error?: string;
}

export type CheckReports = Readonly<Record<string, CheckReport>>;

/** Whether calls should be routed here, and why not. */
export interface ReadinessReport {
  readonly ready: boolean;
  readonly phase: Phase;
  /** What this process cannot work without; one that fails makes it not ready. */
  readonly checks: CheckReports;
  /** What it works with and can do without for a while; none of them makes it not ready. */
  readonly dependencies: CheckReports;
}

export type Phase = "starting" | "serving" | "draining";

/** Which phase may follow which; a service never comes back from draining. */
const successors: Readonly<Record<Phase, readonly Phase[]>> = {
  starting: ["serving", "draining"],
  serving: ["draining"],
  draining: [],
};

class PhaseError extends Error {
  override name = "PhaseError";
  constructor(from: Phase, to: Phase) {
    super(`a service cannot go from ${from} to ${to}`);
  }
}

/** Named checks, run together when asked, each within its time; answers are reused for a moment so that probes cost little. */
export class Readiness {
  readonly #checks: ReadonlyMap<string, Check>;
  readonly #timeoutMs: number;
  readonly #dependencies: () => CheckReports;
  #phase: Phase = "starting";
  #recent: { until: number; report: Promise<CheckReports> } | undefined;
  readonly #listeners = new Set<() => void>();

  /** `dependencies` answers what was found last: a part that hangs must not hold up the answer of a probe. */
  constructor(
    checks: Readonly<Record<string, Check>>,
    timeoutMs: number,
    dependencies: () => CheckReports = () => ({}),
  ) {
    this.#checks = new Map(Object.entries(checks));
    this.#timeoutMs = timeoutMs;
    this.#dependencies = dependencies;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** @throws PhaseError when `phase` cannot follow the present one. */
  enter(phase: Phase): void {
    if (!successors[this.#phase].includes(phase)) throw new PhaseError(this.#phase, phase);
    this.#phase = phase;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` whenever the phase changes. */
  onPhase(listener: () => void): { close(): void } {
    this.#listeners.add(listener);
    return { close: () => void this.#listeners.delete(listener) };
  }

  async report(): Promise<ReadinessReport> {
    const checks = await this.#recentChecks();
    return { ready: this.#isReadyBy(checks), phase: this.#phase, checks, dependencies: this.#dependencies() };
  }

  /** Whether calls should be routed here. */
  async isReady(): Promise<boolean> {
    return this.#isReadyBy(await this.#recentChecks());
  }

  #isReadyBy(checks: CheckReports): boolean {
    return this.#phase === "serving" && Object.values(checks).every(({ ok }) => ok);
  }

  #recentChecks(): Promise<CheckReports> {
    const now = performance.now();
    if (!this.#recent || this.#recent.until < now) {
      this.#recent = { until: now + 250, report: this.#runChecks() };
    }
    return this.#recent.report;
  }

  async #runChecks(): Promise<CheckReports> {
    return runChecks(this.#checks, this.#timeoutMs);
  }
}

/** Runs the checks together, each within its time. */
export async function runChecks(checks: ReadonlyMap<string, Check>, timeoutMs: number): Promise<CheckReports> {
  const reports = [...checks].map(async ([name, check]) => [name, await runCheck(check, timeoutMs)] as const);
  return Object.fromEntries(await Promise.all(reports));
}

async function runCheck(check: Check, timeoutMs: number): Promise<CheckReport> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    // The race is for checks that do not look at their signal.
    await Promise.race([check(signal), rejectOnAbort(signal, timeoutMs)]);
    return { ok: true, ms: elapsed() };
  } catch (error) {
    return { ok: false, ms: elapsed(), error: error instanceof Error ? error.message : String(error) };
  }
}

function rejectOnAbort(signal: AbortSignal, timeoutMs: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error(`no answer within ${timeoutMs} ms`)), { once: true });
  });
}
