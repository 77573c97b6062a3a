import type { ServingManifest } from "@aiplatform/serving-runtime";
import type { InstanceSet } from "./serving-driver.ts";

/** What an instance reads about what it serves, whatever runs it. */
export function manifestOf({
  runtime,
  modelName,
  versionId,
  runConfig,
  datasets = [],
  interface: schemas,
}: InstanceSet): ServingManifest {
  return {
    runtime,
    model_name: modelName,
    version: versionId,
    concurrency: runConfig.concurrency,
    timeout_ms: runConfig.timeoutSeconds * 1_000,
    memory_mb: runConfig.memoryMb,
    network: runConfig.network,
    ...(schemas ? { interface: schemas } : {}),
    ...(datasets.length > 0
      ? { datasets: Object.fromEntries(datasets.map(({ alias, datasetId }) => [alias, { dataset_id: datasetId }])) }
      : {}),
  };
}
