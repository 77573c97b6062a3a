import { type DocumentStore, type IndexPlan, Outbox, ReplayStore } from "@aiplatform/document-store";
import { DeploymentStore } from "./deployments/deployment-store.ts";
import { DeploymentVersionStore } from "./deployments/deployment-version-store.ts";
import { RolloutStore } from "./deployments/rollout-store.ts";

/** What deployments keeps, each with the collection it keeps it in. */
export interface DeploymentsStores {
  deployments: DeploymentStore;
  deploymentVersions: DeploymentVersionStore;
  rollouts: RolloutStore;
}

/** The indexes of everything that deployments keeps. */
export const deploymentsIndexes: readonly IndexPlan[] = [
  DeploymentStore.indexes,
  DeploymentVersionStore.indexes,
  RolloutStore.indexes,
  Outbox.indexes,
  ReplayStore.indexes,
];

/** The stores over one database. */
export function createStores(store: DocumentStore): DeploymentsStores {
  return {
    deployments: new DeploymentStore(store),
    deploymentVersions: new DeploymentVersionStore(store),
    rollouts: new RolloutStore(store),
  };
}
