import type { LocalPlatform, PlatformOptions } from "./launcher/local-platform.ts";

export {
  cacheDirectory,
  findBinary,
  kubectlBinary,
  mongodBinary,
  natsServerBinary,
  rcloneBinary,
} from "./infra/binaries/find-binary.ts";
export { runTool } from "./infra/binaries/run-tool.ts";
export { freePort, freePorts } from "./infra/ports/free-port.ts";
export { SupervisedProcess } from "./infra/processes/supervised-process.ts";
export { type Infra, startInfra } from "./infra/servers/infra.ts";
export { InfraError } from "./infra/servers/infra-error.ts";
export { until } from "./infra/wait.ts";
export type { Description } from "./launcher/description.ts";
export type { LocalPlatform, PlatformOptions } from "./launcher/local-platform.ts";
export { writeShellVariables } from "./launcher/shell-variables.ts";

/**
 * Starts everything: parts, fakes, services, demo data and trainer. Resolves when all of it is ready and
 * the trainer has reported its first point; when something cannot start, stops the rest and throws.
 */
export async function startPlatform(options: PlatformOptions): Promise<LocalPlatform> {
  // Loaded here, so that a test that needs only the parts does not load clients and a trainer.
  const platform = await import("./launcher/local-platform.ts");
  return platform.startPlatform(options);
}
