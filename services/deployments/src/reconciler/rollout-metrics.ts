import type { Platform } from "@aiplatform/service-host";
import { createInstruments } from "@aiplatform/telemetry";
import type { Deployment } from "../deployments/deployment.ts";
import { rolloutMetrics } from "../deployments-metrics.ts";
import type { InstanceState } from "../serving/serving-driver.ts";

export interface RolloutMetrics {
  /** Counts a rollout that ended, and the time since it was queued. */
  ended(deployment: Pick<Deployment, "rollout">, time: Date): void;
}

/** `instances` answers the states of the instances of this replica's deployments. */
export function createRolloutMetrics(
  meter: Platform["meter"],
  instances: () => Iterable<InstanceState>,
): RolloutMetrics {
  const { rollouts_total, rollout_duration_seconds, serving_instances } = createInstruments(meter, rolloutMetrics);
  serving_instances.observe((report) => {
    const counts = Map.groupBy(instances(), (state) => state);
    for (const state of rolloutMetrics.serving_instances.labels.state)
      report(counts.get(state)?.length ?? 0, { state });
  });
  return {
    ended({ rollout: { status, queuedAt } }, time) {
      rollouts_total.add(1, { status });
      rollout_duration_seconds.record((time.getTime() - queuedAt.getTime()) / 1_000, { status });
    },
  };
}
