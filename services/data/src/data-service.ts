import { services } from "@aiplatform/contract/services";
import { type DataEngine, openDataEngine } from "@aiplatform/data-engine";
import { followOrganisationLimits } from "@aiplatform/quotas";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService } from "@aiplatform/service-kit";
import { ArtifactReferences } from "./artifact-references/artifact-references.ts";
import { referenceRoutes } from "./artifact-references/reference-rpc.ts";
import type { DataConfig } from "./config.ts";
import { DataLocations } from "./data-locations/data-locations.ts";
import { keyedLocations } from "./data-locations/location-settings.ts";
import { dataQuotas } from "./data-quotas.ts";
import { queryRoutes } from "./dataset-queries/query-rpc.ts";
import { StatisticsReader } from "./dataset-statistics/get-statistics.ts";
import { filterPredecessor } from "./dataset-successors/filter-predecessor.ts";
import { forgetDeletedDatasets } from "./dataset-versions/deleted-dataset-consumer.ts";
import type { QueriedFile, ReadingBounds, SuccessorFile } from "./dataset-versions/read-version.ts";
import { startCacheSweep, startVersionWorker } from "./dataset-versions/version-worker.ts";
import { EmbeddingEndpoints } from "./embedding-endpoints/embedding-endpoints.ts";
import { keyedEndpoints } from "./embedding-endpoints/endpoint-settings.ts";
import { maxDimensions } from "./embeddings/embedding.ts";
import { embeddingRoutes } from "./embeddings/embedding-rpc.ts";
import { startEmbeddingWorker } from "./embeddings/embedding-worker.ts";
import { exportEnding } from "./embeddings/end-exports.ts";
import { VectorMakers } from "./embeddings/vector-makers.ts";
import { dataErrors } from "./errors.ts";
import { lineageRoutes } from "./lineage/lineage-rpc.ts";
import { purgeOfData } from "./organisation-purge.ts";
import { DatasetPredictions } from "./other-services/dataset-predictions.ts";
import { DatasetsOfContent } from "./other-services/datasets-of-content.ts";
import { StoredArtifacts } from "./other-services/stored-artifacts.ts";
import { VersionUses } from "./other-services/version-uses.ts";
import { ParquetCache } from "./parquet-cache/parquet-cache.ts";
import { quotaRoutes } from "./quota-rpc.ts";
import { createStores, dataIndexes, dataMigrations } from "./stores.ts";
import { runVersionQuery } from "./version-queries/run-version-query.ts";
import { versionRoutes } from "./version-service/version-rpc.ts";

const prefix = "aiplatform.data.v1.";
const dataServices = services.filter(({ typeName }) => typeName.startsWith(prefix));

/** What may be given instead of the real thing: a clock, and how callers are known. */
export interface DataOverrides {
  clock?: () => Date;
  callers?: Callers;
}

/** Starts the data service. @throws Error with one sentence when a setting is invalid, or the database cannot be used */
export function startDataService(config: DataConfig, overrides: DataOverrides = {}): Promise<RunningService> {
  return startDomainService({
    name: "data",
    config,
    services: dataServices,
    errors: dataErrors,
    indexes: dataIndexes,
    migrations: dataMigrations,
    ...overrides,
    start: (platform) => startData(config, platform),
  });
}

async function startData(config: DataConfig, platform: DomainPlatform): Promise<DomainServiceParts> {
  const { parts, peers, store, logger } = platform;
  const stores = createStores(store);
  const artifacts = new StoredArtifacts(peers, config.DEPLOYMENTS_ADDRESS);
  const engine = parts.use(await openEngine(config, platform));
  const { DATA_DIRECTORY: directory, DATA_CACHE_BYTES: maxBytes } = config;
  const cache = await ParquetCache.open({ directory, maxBytes, artifacts, logger });
  const predictions = new DatasetPredictions(peers, config.DEPLOYMENTS_ADDRESS);
  const endpoints = parts.use(openEndpoints(config));
  const base = {
    ...platform,
    ...stores,
    ...{ artifacts, cache, engine, predictions, endpoints, makers: new VectorMakers({ predictions, endpoints }) },
    locations: parts.use(new DataLocations(keyedLocations(config.DATA_LOCATIONS, config.DATA_LOCATION_KEYS))),
    maxSourceBytes: config.DATA_LOCATION_MAX_BYTES,
    references: new ArtifactReferences([stores.versions, stores.embeddings]),
    datasets: new DatasetsOfContent(peers, config.CONTENT_ADDRESS),
    uses: new VersionUses(peers, config.DEPLOYMENTS_ADDRESS),
    quotas: dataQuotas(store, stores, config),
    filterPredecessor: (successor: SuccessorFile, bounds: ReadingBounds) =>
      filterPredecessor({ ...stores, cache, engine }, successor, bounds),
    runVersionQuery: (made: QueriedFile, bounds: ReadingBounds) =>
      runVersionQuery({ ...stores, cache, engine }, made, bounds),
    endExports: exportEnding({ ...platform, ...stores }),
    // One process is left to those who read rows.
    concurrency: Math.max(1, config.DATA_PROCESSES - 1),
  };
  const worker = parts.use(startVersionWorker(base));
  const embedder = parts.use(startEmbeddingWorker(base));
  parts.use(startCacheSweep(base));
  parts.use(forgetDeletedDatasets(base));
  followOrganisationLimits(platform, { quotas: base.quotas, service: "data", identity: config.IDENTITY_ADDRESS });
  const dependencies = {
    ...base,
    statisticsReader: new StatisticsReader(base),
    notifyWorker: () => worker.wake(),
    notifyEmbeddingWorker: () => embedder.wake(),
  };
  return {
    routes: (router) => {
      versionRoutes(router, dependencies);
      queryRoutes(router, dependencies);
      embeddingRoutes(router, dependencies);
      referenceRoutes(router, dependencies);
      lineageRoutes(router, dependencies);
      quotaRoutes(router, dependencies);
    },
    purge: purgeOfData(dependencies),
  };
}

/** Services outside of the platform that embed. @throws SettingsError */
function openEndpoints(config: DataConfig): EmbeddingEndpoints {
  return new EmbeddingEndpoints({
    endpoints: keyedEndpoints(config.EMBEDDING_ENDPOINTS, config.EMBEDDING_ENDPOINT_KEYS),
    allowedNetworks: config.EMBEDDING_ALLOWED_NETWORKS,
    timeoutMs: config.EMBEDDING_TIMEOUT_MS,
    maxDimensions,
  });
}

/** The processes that read data. @throws SandboxUnavailableError when the machine cannot contain them, unless the settings say `none` */
function openEngine(config: DataConfig, { logger, meter }: DomainPlatform): Promise<DataEngine> {
  return openDataEngine({
    ...{ logger, meter },
    sandbox: config.DATA_SANDBOX,
    sandboxSetting: "DATA_SANDBOX",
    directory: config.DATA_DIRECTORY,
    maxProcesses: config.DATA_PROCESSES,
    memoryMiB: config.DATA_PROCESS_MEMORY_MB,
    threads: config.DATA_PROCESS_THREADS,
    temporaryDiskMiB: config.DATA_TEMPORARY_DISK_MB,
    idleMs: config.DATA_IDLE_MS,
  });
}
