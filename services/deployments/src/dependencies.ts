import type { DomainPlatform } from "@aiplatform/service-kit";
import type { TaskRunner } from "@aiplatform/worker-pool";
import type { ArtifactVerifier } from "./artifacts/artifact-verifier.ts";
import type { Artifacts } from "./artifacts/artifacts.ts";
import type { DeploymentRef } from "./deployments/deployment.ts";
import type { DeploymentChanges } from "./deployments/deployment-changes.ts";
import type { DeploymentsQuotas } from "./deployments/deployments-quotas.ts";
import type { DeploymentsStores } from "./stores.ts";
import type { DeploymentsTasks } from "./tasks/tasks.ts";
import type { TrainingCalls } from "./training-calls.ts";

/** Everything that operations work with: only the wiring knows it, each operation names what it needs. */
export interface DeploymentsDependencies
  extends DeploymentsStores,
    Artifacts,
    Pick<DomainPlatform, "outbox" | "idempotency" | "transaction" | "clock" | "newId"> {
  quotas: DeploymentsQuotas;
  training: TrainingCalls;
  verifier: ArtifactVerifier;
  /** Computes in worker threads what would hold up the event loop. */
  tasks: TaskRunner<DeploymentsTasks>;
  /** Notifies whatever waits for a deployment to change. */
  changes: DeploymentChanges;
  /** Has the deployment reconciled at once; a signal may get lost. */
  notifyReconciler?: (ref: DeploymentRef) => void;
  /** From the lowest to the highest. */
  environments: readonly string[];
  /** Whether handlers may ask for the network. */
  mayConnect: boolean;
  /** Bytes of a prediction's body at most. */
  maxPredictionBytes: number;
  /** Name in the certificate of instances that have one. */
  servingName: string;
}
