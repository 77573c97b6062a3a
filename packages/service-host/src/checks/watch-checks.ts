import { createInstruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import { readinessMetrics } from "../telemetry/host-metrics.ts";
import { DependencyWatch } from "./dependency-watch.ts";
import { type Check, Readiness } from "./readiness.ts";

type Checks = Readonly<Record<string, Check>>;

interface ReadinessOptions {
  readonly meter: Meter;
  /** What the process cannot work without. */
  readonly checks: Checks;
  /** What it can do without for a while: looked at all the time, and told of. */
  readonly dependencies: Checks;
  /** Milliseconds that each check has. */
  readonly timeoutMs: number;
}

/** Readiness whose checks and dependencies are metrics, too. */
export function openReadiness({ meter, checks, dependencies, timeoutMs }: ReadinessOptions): {
  readiness: Readiness;
  close(): void;
} {
  const reading = { read: () => {} };
  const watched = watchChecks(meter, () => reading.read());
  const watch = new DependencyWatch(watched(dependencies), { timeoutMs });
  reading.read = () => watch.read();
  return {
    readiness: new Readiness(watched(checks), timeoutMs, () => watch.reports()),
    close: () => watch.close(),
  };
}

/** Makes of checks the same checks, whose last outcomes are metrics. `read` is called at each scrape. */
function watchChecks(meter: Meter, read: () => void): (checks: Checks) => Checks {
  const outcomes = new Map<string, boolean>();
  createInstruments(meter, readinessMetrics).dependency_up.observe((report) => {
    read();
    for (const [dependency, up] of outcomes) report(up ? 1 : 0, { dependency });
  });
  const watched = (name: string, check: Check): Check => {
    return async (signal) => {
      const failed = () => void outcomes.set(name, false);
      // A check that does not look at its signal may never settle.
      signal.addEventListener("abort", failed, { once: true });
      try {
        await check(signal);
        outcomes.set(name, true);
      } catch (error) {
        failed();
        throw error;
      } finally {
        signal.removeEventListener("abort", failed);
      }
    };
  };
  return (checks) => Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, watched(name, check)]));
}
