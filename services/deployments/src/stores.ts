import type { DocumentStore, IndexPlan } from "@aiplatform/document-store";
import { DeploymentStore } from "./deployments/deployment-store.ts";
import { DeploymentVersionStore } from "./deployments/deployment-version-store.ts";
import { RolloutStore } from "./deployments/rollout-store.ts";
import { KnownDatasetStore } from "./models/known-dataset-store.ts";
import { KnownPipelineStore } from "./models/known-pipeline-store.ts";
import { ModelStore } from "./models/model-store.ts";
import { ModelVersionStore } from "./models/model-version-store.ts";
import { CaredDeploymentStore } from "./rollouts/cared-deployment-store.ts";

/** What deployments keeps, each with the collection it keeps it in. */
export interface DeploymentsStores {
  deployments: DeploymentStore;
  deploymentVersions: DeploymentVersionStore;
  rollouts: RolloutStore;
  models: ModelStore;
  modelVersions: ModelVersionStore;
  knownPipelines: KnownPipelineStore;
  knownDatasets: KnownDatasetStore;
}

/** The indexes of everything that deployments keeps. */
export const deploymentsIndexes: readonly IndexPlan[] = [
  DeploymentStore.indexes,
  CaredDeploymentStore.indexes,
  DeploymentVersionStore.indexes,
  RolloutStore.indexes,
  ModelStore.indexes,
  ModelVersionStore.indexes,
  KnownPipelineStore.indexes,
  KnownDatasetStore.indexes,
];

/** The stores over one database. */
export function createStores(store: DocumentStore): DeploymentsStores {
  return {
    deployments: new DeploymentStore(store),
    deploymentVersions: new DeploymentVersionStore(store),
    rollouts: new RolloutStore(store),
    models: new ModelStore(store),
    modelVersions: new ModelVersionStore(store),
    knownPipelines: new KnownPipelineStore(store),
    knownDatasets: new KnownDatasetStore(store),
  };
}
