import type { LocalPlatform, PlatformOptions } from "./local-platform.ts";

export type { Description } from "./description.ts";
export { freePort, freePorts } from "./free-port.ts";
export type { LocalPlatform, PlatformOptions } from "./local-platform.ts";
export {
  cacheDirectory,
  type FoundBinary,
  findBinary,
  kubectlBinary,
  mongodBinary,
  natsServerBinary,
  rcloneBinary,
} from "./parts/part-binary.ts";
export { PartError } from "./parts/part-error.ts";
export { type PartName, type Parts, type PartsOptions, startParts } from "./parts/parts.ts";
export { runTool, type ToolResult } from "./parts/run-tool.ts";
export { ProcessStartError, type SupervisedCommand, SupervisedProcess } from "./supervised-process.ts";
export { type Patience, until } from "./until.ts";

/**
 * Starts everything: parts, identity provider, services, demo data and trainer. Resolves when all of it is ready and
 * the trainer has reported its first point; when something cannot start, stops the rest and throws.
 */
export async function startPlatform(options: PlatformOptions): Promise<LocalPlatform> {
  // Loaded here, so that a test that needs only the parts does not load clients and a trainer.
  const platform = await import("./local-platform.ts");
  return platform.startPlatform(options);
}
