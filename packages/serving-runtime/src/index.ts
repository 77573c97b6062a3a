export { containerPaths, containerPorts } from "./container/container-paths.ts";
export {
  type ControlGroups,
  ControlGroupsUnavailableError,
  controlGroupChoices,
  type InstanceGroups,
  openControlGroups,
} from "./control-groups/control-groups.ts";
export {
  type Enforcement,
  enforcementOf,
  enforcementText,
  readEnforcement,
  writeEnforcement,
} from "./control-groups/enforcement.ts";
export type { InstanceGroup, MemoryEnd } from "./control-groups/instance-group.ts";
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
