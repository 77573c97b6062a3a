import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { services } from "@aiplatform/contract/services";
import { followOrganisationLimits } from "@aiplatform/quotas";
import { DataKeyStore, dataKeyRewrap, readKeyRing, SealedSecrets } from "@aiplatform/sealed-secrets";
import { ServiceSearch } from "@aiplatform/search";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService, startWorker } from "@aiplatform/service-kit";
import { startArtifactCollection } from "./artifact-collection/artifact-collection.ts";
import { storedReferences } from "./artifact-collection/artifact-references.ts";
import type { CollectDependencies } from "./artifact-collection/collect-artifacts.ts";
import { referencesOfDatasets } from "./artifact-collection/dataset-references.ts";
import { referencesOfTraining } from "./artifact-collection/training-references.ts";
import { ArtifactBytes } from "./artifacts/artifact-bytes.ts";
import { ArtifactVerifier } from "./artifacts/artifact-verifier.ts";
import { openArtifacts } from "./artifacts/artifacts.ts";
import { CountedArtifacts } from "./artifacts/counted-artifacts.ts";
import { sweepUploads } from "./artifacts/upload-store.ts";
import type { DeploymentsConfig } from "./config.ts";
import { DataCalls } from "./data-calls.ts";
import { datasetArtifactRoutes } from "./dataset-artifacts/dataset-artifact-rpc.ts";
import { datasetPredictionRoutes } from "./dataset-predictions/dataset-prediction-rpc.ts";
import { InstanceClient } from "./dataset-predictions/instance-client.ts";
import type { DeploymentsDependencies } from "./dependencies.ts";
import { InstanceTokens } from "./deployment-versions/instance-tokens.ts";
import { sealClearTokens } from "./deployment-versions/seal-clear-tokens.ts";
import { DeploymentChanges } from "./deployments/deployment-changes.ts";
import { deploymentMethods } from "./deployments/deployment-rpc.ts";
import { deploymentsQuotas } from "./deployments/deployments-quotas.ts";
import { deploymentsErrors } from "./errors.ts";
import { lineageRoutes } from "./lineage/lineage-rpc.ts";
import { startArtifactIngestion } from "./models/artifact-ingestion-worker.ts";
import { modelRoutes } from "./models/model-rpc.ts";
import { consumeTraining } from "./models/training-consumer.ts";
import { purgeOfDeployments } from "./organisation-purge.ts";
import { predictionMethods } from "./predictions/prediction-rpc.ts";
import { consumeDatasets } from "./projections/dataset-consumer.ts";
import { quotaRoutes } from "./quota-rpc.ts";
import { type Reconciler, startReconciler } from "./reconciler/start-reconciler.ts";
import { consumeDeletedRuns } from "./run-files/deleted-run-consumer.ts";
import { runFileRoutes } from "./run-files/run-file-rpc.ts";
import { deploymentsSearches, searchRoutes } from "./search-rpc.ts";
import { createStores, type DeploymentsStores, deploymentsIndexes, deploymentsMigrations } from "./stores.ts";
import { startTasks } from "./tasks/start-tasks.ts";
import { TrainingCalls } from "./training-calls.ts";
import { artifactRoutes } from "./transfers/artifact-rpc.ts";

const prefix = "aiplatform.deployments.v1.";
const deploymentsServices = services.filter(({ typeName }) => typeName.startsWith(prefix));

/** Of a prediction that the data service gets: what it takes in a message. */
const maxDatasetAnswerBytes = 3_670_016;

/** For tests: a clock, and how callers are known. */
export interface DeploymentsOverrides {
  clock?: () => Date;
  callers?: Callers;
}

/** @throws an error of one sentence when a setting is invalid, or the database cannot be used */
export function startDeploymentsService(
  config: DeploymentsConfig,
  overrides: DeploymentsOverrides = {},
): Promise<RunningService> {
  return startDomainService({
    name: "deployments",
    config,
    services: deploymentsServices,
    errors: deploymentsErrors,
    indexes: deploymentsIndexes,
    migrations: deploymentsMigrations,
    ...overrides,
    start: (platform) => start(config, platform),
  });
}

async function start(config: DeploymentsConfig, platform: DomainPlatform): Promise<DomainServiceParts> {
  const { logger, meter, parts, store, stream, transaction, clock } = platform;
  const tasks = parts.use(startTasks(config, { logger, meter }));
  const opened = openArtifacts(config);
  parts.use(opened.artifacts);
  const changes = parts.use(new DeploymentChanges(stream));
  const stores = createStores(store, await openTokens(config, platform));
  const artifactBytes = new ArtifactBytes({ ...opened, ...stores, clock });
  const quotas = deploymentsQuotas(store, { ...stores, artifactBytes }, config);
  const counted = { ...opened, ...stores, artifactBytes, quotas, transaction, clock };
  const dependencies = {
    ...platform,
    ...stores,
    quotas,
    ...opened,
    artifacts: new CountedArtifacts(counted),
    training: new TrainingCalls(platform.peers, config.TRAINING_ADDRESS),
    data: new DataCalls(platform.peers, config.DATA_ADDRESS),
    verifier: new ArtifactVerifier(opened.artifacts),
    tasks,
    changes,
    environments: config.DEPLOYMENT_ENVIRONMENTS,
    mayConnect: config.SERVING_NETWORK,
    maxPredictionBytes: config.MAX_PREDICTION_BYTES,
    servingName: config.SERVING_TLS_SERVER_NAME,
  };
  const reconciler = await startWorkers(config, dependencies);
  const collected = collectionOf(config, { ...dependencies, artifactBytes, bytes: opened.artifacts });
  const artifactCollection = parts.use(startArtifactCollection({ ...dependencies, ...collected }));
  const search = new ServiceSearch(platform.store, deploymentsSearches);
  const lineage = { ...dependencies, data: config.DATA_ADDRESS.length > 0 ? dependencies.data : undefined };
  const erasure = { ...dependencies, ...collected };
  const instances = parts.use(new InstanceClient({ config, maxBytes: maxDatasetAnswerBytes }));
  const ofCalls = { ...dependencies, artifactCollection, erasure, instances, notifyReconciler: reconciler.enqueue };
  return {
    routes: (router) => {
      modelRoutes(router, ofCalls);
      artifactRoutes(router, ofCalls);
      datasetArtifactRoutes(router, ofCalls);
      datasetPredictionRoutes(router, ofCalls);
      runFileRoutes(router, ofCalls);
      quotaRoutes(router, ofCalls);
      searchRoutes(router, search);
      lineageRoutes(router, lineage);
      router.service(DeploymentService, { ...deploymentMethods(ofCalls), ...predictionMethods(ofCalls) });
    },
    dependencies: { artifacts: (signal) => opened.artifacts.ping(signal) },
    drain: async () => changes.drain(),
    purge: purgeOfDeployments({ ...ofCalls, reconciler }),
  };
}

/** @throws SecretsKeyError when the keys of the settings do not open what is stored */
async function openTokens(config: DeploymentsConfig, platform: DomainPlatform): Promise<InstanceTokens> {
  const { store, clock, newId, parts } = platform;
  const ring = readKeyRing(config.SECRETS_KEYS);
  const secrets = new SealedSecrets({ ring, dataKeys: new DataKeyStore(store), clock, newId });
  await secrets.assertFits();
  parts.use(startWorker(platform, dataKeyRewrap(secrets, platform)));
  return new InstanceTokens({ secrets, storesClear: config.INSTANCE_TOKENS === "clear" });
}

type CollectionDependencies = DomainPlatform &
  DeploymentsStores &
  Pick<CollectDependencies, "artifactBytes" | "bytes"> &
  Pick<DeploymentsDependencies, "training"> & { data: DataCalls };

/** What refers to artifacts, and so which can go. Without training none is known to be unused. */
function collectionOf(
  { ARTIFACT_RETENTION_DAYS: days, TRAINING_ADDRESS: training, DATA_ADDRESS: data }: DeploymentsConfig,
  dependencies: CollectionDependencies,
): CollectDependencies & { isOn: boolean } {
  const artifactReferences = [
    ...storedReferences(dependencies),
    referencesOfTraining(dependencies.training),
    ...(data.length > 0 ? [referencesOfDatasets(dependencies.data)] : []),
  ];
  const isOn = days > 0 && training.length > 0;
  const { artifactBytes, artifactMarks, bytes, outbox, transaction, newId, store } = dependencies;
  const collected = { artifactBytes, artifactMarks, bytes, outbox, transaction, newId };
  return { ...collected, isOn, artifactReferences, retentionMs: days * 86_400_000, now: store.now };
}

/** What goes on beside the calls. */
async function startWorkers(
  config: DeploymentsConfig,
  dependencies: DomainPlatform & DeploymentsDependencies,
): Promise<Reconciler> {
  const { parts } = dependencies;
  const ingestion = parts.use(startArtifactIngestion({ ...dependencies, sources: config.ARTIFACT_SOURCES }));
  parts.use(consumeTraining({ ...dependencies, signalIngestion: () => ingestion.wake() }));
  parts.use(consumeDatasets(dependencies));
  parts.use(consumeDeletedRuns(dependencies));
  parts.use(sweepUploads(dependencies));
  const { quotas } = dependencies;
  followOrganisationLimits(dependencies, { service: "deployments", identity: config.IDENTITY_ADDRESS, quotas });
  if (config.INSTANCE_TOKENS === "sealed") parts.use(sealClearTokens(dependencies));
  return parts.use(await startReconciler({ ...dependencies, config }));
}
