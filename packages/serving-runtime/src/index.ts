export type { ServingManifest } from "./manifest.ts";
export { type RuntimeCommandOptions, runtimeCommand } from "./runtime-command.ts";
