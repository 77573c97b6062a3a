import { createInstruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import type { Check } from "../serving/readiness.ts";
import { readinessMetrics } from "./host-metrics.ts";

/** The same checks, whose last outcomes are metrics. */
export function watchChecks(meter: Meter, checks: Readonly<Record<string, Check>>): Record<string, Check> {
  const outcomes = new Map<string, boolean>();
  createInstruments(meter, readinessMetrics).dependency_up.observe((tell) => {
    for (const [dependency, up] of outcomes) tell(up ? 1 : 0, { dependency });
  });
  const watched = (name: string, check: Check): Check => {
    return async (signal) => {
      try {
        await check(signal);
        outcomes.set(name, true);
      } catch (error) {
        outcomes.set(name, false);
        throw error;
      }
    };
  };
  return Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, watched(name, check)]));
}
