import type { Platform } from "@aiplatform/service-host";
import type { Deployment } from "../deployments/deployment.ts";
import type { InstanceState } from "../serving/serving-driver.ts";

const states: readonly InstanceState[] = ["starting", "ready", "unhealthy", "failed"];

/** What operators see of rollouts and instances. */
export interface RolloutMetrics {
  /** Counts a rollout that ended, and the time since it was queued. */
  ended(deployment: Pick<Deployment, "rollout">, time: Date): void;
}

/** `instances` answers the states of the instances that this replica looks after. */
export function createRolloutMetrics(
  meter: Platform["meter"],
  instances: () => Iterable<InstanceState>,
): RolloutMetrics {
  const outcomes = meter.createCounter("rollouts.ended", { description: "Rollouts that ended, by status." });
  const durations = meter.createHistogram("rollouts.duration", {
    unit: "s",
    description: "Time from the wish to the end of a rollout, by status.",
    advice: { explicitBucketBoundaries: [0.5, 1, 2, 5, 10, 20, 60, 120, 300] },
  });
  meter
    .createObservableGauge("serving.instances", {
      description: "Instances that this replica looks after, by state.",
    })
    .addCallback((result) => {
      const counts = new Map(states.map((state) => [state, 0]));
      for (const state of instances()) counts.set(state, (counts.get(state) ?? 0) + 1);
      for (const [state, count] of counts) result.observe(count, { state });
    });
  return {
    ended({ rollout: { status, queuedAt } }, time) {
      outcomes.add(1, { status });
      durations.record((time.getTime() - queuedAt.getTime()) / 1_000, { status });
    },
  };
}
