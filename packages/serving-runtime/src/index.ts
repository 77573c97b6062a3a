export type { LoadFailure } from "./errors.ts";
export type { InstanceReport } from "./instance.ts";
export { compileSchema } from "./interface-check.ts";
export { ManifestError, parseManifest, type ServingManifest } from "./manifest.ts";
export { nodeArguments, type RuntimeCommandOptions, runtimeCommand, runtimeProgram } from "./runtime-command.ts";
