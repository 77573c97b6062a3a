export type { ServingManifest } from "./manifest.ts";
export { type RuntimeCommandOptions, readablePaths, runtimeCommand } from "./runtime-command.ts";
export {
  findSandbox,
  type LandlockSandbox,
  type Sandbox,
  type SandboxedCommand,
  sandboxedCommand,
} from "./sandbox/sandbox.ts";
