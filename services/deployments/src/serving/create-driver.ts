import { SettingsError } from "@aiplatform/service-host";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";
import type { DeploymentsConfig } from "../config.ts";
import { ProcessDriver } from "./process-driver/process-driver.ts";
import type { ServingDriver } from "./serving-driver.ts";

/** What drivers are made with. */
export interface DriverParts {
  config: DeploymentsConfig;
  artifacts: ArtifactStore;
  newId: () => string;
}

/** The driver that the settings name. @throws SettingsError */
export async function createDriver({ config, artifacts, newId }: DriverParts): Promise<ServingDriver> {
  if (config.SERVING_DRIVER === "kubernetes") throw new SettingsError(["SERVING_DRIVER kubernetes is not served yet"]);
  const { SERVING_DIRECTORY: directory, SERVING_HOST: host, DRAIN_MS: drainMs } = config;
  return ProcessDriver.start({ directory, host, artifacts, drainMs, newId });
}
