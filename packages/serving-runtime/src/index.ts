export { containerPaths, containerPorts } from "./container/container-paths.ts";
export type { ServingManifest } from "./manifest.ts";
export { type RuntimeCommandOptions, readablePaths, runtimeCommand } from "./runtime-command.ts";
export {
  boundariesOf,
  type Egress,
  egressInside,
  findSandbox,
  type Sandbox,
  type SandboxedCommand,
  SandboxUnavailableError,
  sandboxChoices,
  sandboxedCommand,
  type TierSandbox,
} from "./sandbox/sandbox.ts";
