export { PartError } from "./parts/part-error.ts";
export { type PartName, type Parts, type PartsOptions, startParts } from "./parts/parts.ts";
export { type Patience, until } from "./until.ts";
