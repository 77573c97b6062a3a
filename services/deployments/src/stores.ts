import type { DocumentStore, IndexPlan, Migration } from "@aiplatform/document-store";
import { OrganisationLimitStore } from "@aiplatform/quotas";
import { DataKeyStore } from "@aiplatform/sealed-secrets";
import { searchBackfill } from "@aiplatform/search";
import { ArtifactMarkStore } from "./artifacts/artifact-mark-store.ts";
import { StoredArtifactStore } from "./artifacts/stored-artifact-store.ts";
import { DeploymentVersionStore } from "./deployment-versions/deployment-version-store.ts";
import type { InstanceTokens } from "./deployment-versions/instance-tokens.ts";
import { DeploymentStore } from "./deployments/deployment-store.ts";
import { InstanceMemory } from "./deployments/instance-memory.ts";
import { ModelStore } from "./models/model-store.ts";
import { ModelVersionStore } from "./models/model-version-store.ts";
import { KnownDatasetStore } from "./projections/known-dataset-store.ts";
import { KnownPipelineStore } from "./projections/known-pipeline-store.ts";
import { LeasedDeploymentStore } from "./reconciler/leased-deployment-store.ts";
import { RolloutStore } from "./rollouts/rollout-store.ts";
import { RunFileStore } from "./run-files/run-file-store.ts";
import { deploymentsSearches } from "./search-rpc.ts";

export interface DeploymentsStores {
  storedArtifacts: StoredArtifactStore;
  artifactMarks: ArtifactMarkStore;
  deployments: DeploymentStore;
  instanceMemory: InstanceMemory;
  deploymentVersions: DeploymentVersionStore;
  rollouts: RolloutStore;
  models: ModelStore;
  modelVersions: ModelVersionStore;
  knownPipelines: KnownPipelineStore;
  knownDatasets: KnownDatasetStore;
  runFiles: RunFileStore;
}

export const deploymentsIndexes: readonly IndexPlan[] = [
  StoredArtifactStore.indexes,
  StoredArtifactStore.countIndexes,
  ArtifactMarkStore.indexes,
  ArtifactMarkStore.dueIndexes,
  DeploymentStore.indexes,
  InstanceMemory.indexes,
  LeasedDeploymentStore.indexes,
  DeploymentVersionStore.indexes,
  DataKeyStore.indexes,
  RolloutStore.indexes,
  ModelStore.indexes,
  ModelVersionStore.indexes,
  KnownPipelineStore.indexes,
  KnownDatasetStore.indexes,
  RunFileStore.indexes,
  OrganisationLimitStore.indexes,
];

/** How documents of earlier versions become those of this one. A row that was released stays as it is. */
export const deploymentsMigrations: readonly Migration[] = [{ version: 1, ...searchBackfill(deploymentsSearches) }];

export function createStores(store: DocumentStore, tokens: InstanceTokens): DeploymentsStores {
  return {
    storedArtifacts: new StoredArtifactStore(store),
    artifactMarks: new ArtifactMarkStore(store),
    deployments: new DeploymentStore(store),
    instanceMemory: new InstanceMemory(store),
    deploymentVersions: new DeploymentVersionStore(store, tokens),
    rollouts: new RolloutStore(store),
    models: new ModelStore(store),
    modelVersions: new ModelVersionStore(store),
    knownPipelines: new KnownPipelineStore(store),
    knownDatasets: new KnownDatasetStore(store),
    runFiles: new RunFileStore(store),
  };
}
