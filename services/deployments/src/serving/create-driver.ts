import type { Logger } from "@aiplatform/service-host";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";
import type { DeploymentsConfig } from "../config.ts";
import type { DeploymentVersionStore } from "../deployments/deployment-version-store.ts";
import { ProcessDriver } from "./process-driver/process-driver.ts";
import type { ServingDriver } from "./serving-driver.ts";

/** What drivers are made with. */
export interface DriverParts {
  config: DeploymentsConfig;
  artifacts: ArtifactStore;
  deploymentVersions: Pick<DeploymentVersionStore, "find">;
  logger: Logger;
  newId: () => string;
}

/** The driver that the settings name. Rejects when it cannot be started. */
export async function createDriver(parts: DriverParts): Promise<ServingDriver> {
  const { config, artifacts, newId, logger, deploymentVersions: versions } = parts;
  if (config.SERVING_DRIVER === "kubernetes") {
    // The cluster's client takes much memory and a second to load: only who needs it has it.
    const { createKubernetesDriver } = await import("./kubernetes-driver/create-kubernetes-driver.ts");
    return createKubernetesDriver({ config, artifacts, versions, logger });
  }
  const {
    SERVING_DIRECTORY: directory,
    SERVING_HOST: host,
    DRAIN_MS: drainMs,
    MAX_PREDICTION_BYTES: mostBytes,
  } = config;
  return ProcessDriver.start({ directory, host, artifacts, drainMs, mostBytes, newId });
}
