import type { DocumentStore } from "@aiplatform/document-store";
import { type EventStream, wakeSubject } from "@aiplatform/event-stream";
import type { Platform } from "@aiplatform/service-host";
import type { DeploymentsConfig } from "../config.ts";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { createDriver } from "../serving/create-driver.ts";
import { CaredDeploymentStore } from "./cared-deployment-store.ts";
import { RolloutController } from "./rollout-controller.ts";
import { createRolloutMetrics } from "./rollout-metrics.ts";

/** What rollouts are brought about with. */
export interface RolloutsParts extends DeploymentsDependencies {
  config: DeploymentsConfig;
  store: DocumentStore;
  stream: EventStream;
  logger: Platform["logger"];
  meter: Platform["meter"];
  tracer: Platform["tracer"];
}

/** The part of the service that makes deployments what they are wished to be. */
export interface Rollouts extends AsyncDisposable {
  /** Has a deployment looked at at once, by whichever replica looks after it. */
  wake(organisationId: string, deploymentId: string): void;
}

/** Starts the driver that the settings name, and the controller of this replica. */
export async function startRollouts(parts: RolloutsParts): Promise<Rollouts> {
  const { config, store, stream, logger, meter, newId } = parts;
  const { ROLLOUT_TIMEOUT_MS: rolloutTimeoutMs, DRAIN_MS: drainMs, ROLLOUT_LEASE_MS: leaseMs } = config;
  await using owned = new AsyncDisposableStack();
  const driver = owned.use(await createDriver(parts));
  const states = () => controller.states();
  const controller: RolloutController = owned.use(
    new RolloutController({
      ...parts,
      driver,
      cared: new CaredDeploymentStore(store),
      holder: newId(),
      times: { rolloutTimeoutMs, drainMs },
      leaseMs,
      metrics: createRolloutMetrics(meter, states),
      logger,
    }),
  );
  const listening = stream.listen(wakeSubject("deployments", "care", "*", "*"), ({ subject }) => {
    const [organisationId, id] = subject.split(".").slice(-2);
    if (organisationId && id) controller.wake({ organisationId, id });
  });
  owned.defer(() => listening.close());
  const all = owned.move();
  return {
    wake(organisationId, deploymentId) {
      controller.wake({ organisationId, id: deploymentId });
      stream.announce(wakeSubject("deployments", "care", organisationId, deploymentId), new Uint8Array());
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
