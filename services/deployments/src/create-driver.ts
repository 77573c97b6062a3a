import type { Logger } from "@aiplatform/service-host";
import { boundariesOf, enforcementText, findSandbox } from "@aiplatform/serving-runtime";
import type { ArtifactStore } from "./artifacts/artifact-store.ts";
import type { DeploymentVersionStore } from "./deployment-versions/deployment-version-store.ts";
import type { KubernetesConfig } from "./serving/kubernetes-driver/kubernetes-settings.ts";
import { ProcessDriver } from "./serving/process-driver/process-driver.ts";
import type { InstanceOutput } from "./serving/process-driver/version-processes.ts";
import type { ServingDriver } from "./serving/serving-driver.ts";
import { openServingTls, type ServingTlsConfig } from "./serving/serving-tls.ts";

/** The settings of both drivers. */
export interface DriverConfig extends KubernetesConfig, ServingTlsConfig {
  SERVING_DRIVER: string;
  SERVING_DIRECTORY: string;
  SERVING_HOST: string;
  DRAIN_MS: number;
  SERVING_SANDBOX: string;
  SERVING_CONTROL_GROUPS: string;
  TRUST_SERVING_CODE: boolean;
  SERVING_NETWORK: boolean;
  SERVING_ALLOWED_NETWORKS: readonly string[];
}

interface Dependencies {
  config: DriverConfig;
  artifacts: ArtifactStore;
  deploymentVersions: Pick<DeploymentVersionStore, "findServed">;
  logger: Logger;
  newId: () => string;
}

/** The driver that the settings name. @throws when it cannot be started */
export async function createDriver(dependencies: Dependencies): Promise<ServingDriver> {
  const { config, artifacts, newId, logger, deploymentVersions } = dependencies;
  const tls = openServingTls(config, logger);
  if (config.SERVING_DRIVER === "kubernetes") {
    // The cluster's client takes much memory and a second to load: only who needs it has it.
    const { createKubernetesDriver } = await import("./serving/kubernetes-driver/create-kubernetes-driver.ts");
    const find = async (organisationId: string, id: string) =>
      (await deploymentVersions.findServed(organisationId, [id]))[0];
    return createKubernetesDriver({ config, artifacts, versions: { find }, logger, tls });
  }
  const {
    SERVING_DIRECTORY: directory,
    SERVING_HOST: host,
    DRAIN_MS: drainMs,
    MAX_PREDICTION_BYTES: maxBytes,
  } = config;
  const onOutput = ({ organisationId, deploymentId, versionId, instance, line }: InstanceOutput) => {
    const about = { organisation_id: organisationId, deployment_id: deploymentId, deployment_version_id: versionId };
    logger.info({ ...about, instance, line }, "an instance wrote to its log");
  };
  const sandbox = await findSandbox({ choice: config.SERVING_SANDBOX });
  if (sandbox.kind === "none") logger.warn({ reason: sandbox.reason }, "this machine has no sandbox for handlers");
  else logger.info({ sandbox: boundariesOf(sandbox) }, "instances run in a sandbox");
  const {
    TRUST_SERVING_CODE: trustsCode,
    SERVING_NETWORK: network,
    SERVING_ALLOWED_NETWORKS: allowedNetworks,
  } = config;
  const containment = { sandbox, trustsCode, network, allowedNetworks };
  const controlGroups = config.SERVING_CONTROL_GROUPS;
  const given = { directory, host, artifacts, containment, controlGroups, tls, drainMs, maxBytes, newId, onOutput };
  const driver = await ProcessDriver.start(given);
  const { lacks } = driver.enforcement;
  const limits = { limits: enforcementText(driver.enforcement), ...(lacks !== undefined && { without_cgroup: lacks }) };
  logger.info(limits, "what holds instances to their limits");
  return driver;
}
