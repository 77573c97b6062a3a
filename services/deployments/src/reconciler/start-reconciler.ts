import { wakeSubject } from "@aiplatform/event-stream";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";
import { createDriver, type DriverConfig } from "../create-driver.ts";
import type { DeploymentRef } from "../deployments/deployment.ts";
import { LeasedDeploymentStore } from "./leased-deployment-store.ts";
import { ReconcileWorker } from "./reconcile-worker.ts";
import { createRolloutMetrics } from "./rollout-metrics.ts";
import type { StatusDependencies } from "./write-status.ts";

interface Dependencies
  extends Pick<StatusDependencies, "deployments" | "deploymentVersions" | "rollouts" | "changes">,
    Pick<
      DomainPlatform,
      "store" | "stream" | "logger" | "meter" | "tracer" | "outbox" | "transaction" | "clock" | "newId"
    > {
  artifacts: ArtifactStore;
  config: DriverConfig & { ROLLOUT_LEASE_MS: number };
}

export interface Reconciler extends AsyncDisposable {
  /** Has a deployment reconciled at once, by whichever replica holds its lease. */
  enqueue(ref: DeploymentRef): void;
  /** Whether this replica sees instances of an organisation, or what they have left. */
  hasInstances(organisationId: string): Promise<boolean>;
}

/** Starts the driver that the settings name, and the worker of this replica. */
export async function startReconciler(dependencies: Dependencies): Promise<Reconciler> {
  const { config, store, stream, meter, newId } = dependencies;
  const { ROLLOUT_TIMEOUT_MS: rolloutTimeoutMs, DRAIN_MS: drainMs, ROLLOUT_LEASE_MS: leaseMs } = config;
  await using owned = new AsyncDisposableStack();
  const driver = owned.use(await createDriver(dependencies));
  const states = () => worker.states();
  const worker: ReconcileWorker = owned.use(
    new ReconcileWorker({
      ...dependencies,
      driver,
      leased: new LeasedDeploymentStore(store),
      holder: newId(),
      options: { rolloutTimeoutMs, drainMs },
      leaseMs,
      metrics: createRolloutMetrics(meter, states),
    }),
  );
  const signals = stream.listen(wakeSubject("deployments", "reconcile", "*", "*"), ({ subject }) => {
    const [organisationId, deploymentId] = subject.split(".").slice(-2);
    if (organisationId && deploymentId) worker.enqueue({ organisationId, deploymentId });
  });
  owned.defer(() => signals.close());
  const all = owned.move();
  return {
    enqueue(ref) {
      worker.enqueue(ref);
      const subject = wakeSubject("deployments", "reconcile", ref.organisationId, ref.deploymentId);
      stream.announce(subject, new Uint8Array());
    },
    hasInstances: async (organisationId) =>
      (await driver.known()).some((version) => version.organisationId === organisationId),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
