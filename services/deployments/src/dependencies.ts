import type { ClientSession, Outbox, ReplayStore } from "@aiplatform/document-store";
import type { TaskRunner } from "@aiplatform/worker-pool";
import type { Artifacts } from "./artifacts/artifacts.ts";
import type { DeploymentChanges } from "./deployments/deployment-changes.ts";
import type { DeploymentsStores } from "./stores.ts";
import type { DeploymentsTasks } from "./tasks/tasks.ts";

/** What the operations work with; each picks what it needs. */
export interface DeploymentsDependencies extends DeploymentsStores, Artifacts {
  outbox: Pick<Outbox, "stage">;
  /** Answers of requests that were sent with an idempotency key. */
  replays: Pick<ReplayStore, "run">;
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
  /** Computes in worker threads what would hold up the event loop. */
  tasks: TaskRunner<DeploymentsTasks>;
  /** Wakes those who wait for a deployment to change. */
  changes: DeploymentChanges;
  /** Makes the rollout controller look at a deployment at once; a hint that may get lost. */
  wakeController?: (organisationId: string, deploymentId: string) => void;
  /** From the lowest to the highest. */
  environments: readonly string[];
  /** Bytes of a prediction's body at most. */
  mostPredictionBytes: number;
  clock: () => Date;
  newId: () => string;
}
