import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { DeploymentVersionStore } from "./deployment-version-store.ts";

/** A replica of an earlier version may store further ones until it ends. */
const everyMs = 60_000;

/** Seals the tokens that an earlier version of the service has stored in clear. */
export function sealClearTokens({
  deploymentVersions,
  ...platform
}: WorkerPlatform & { deploymentVersions: Pick<DeploymentVersionStore, "sealClearTokens"> }): Worker {
  const round = async () => (await deploymentVersions.sealClearTokens()) > 0;
  return startWorker(platform, { name: "token-sealing", pauseMs: everyMs, round });
}
