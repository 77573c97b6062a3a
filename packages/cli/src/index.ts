export { exitCodes } from "./exit-codes.ts";
export type { Invocation, StandardInput } from "./invocation.ts";
export { platformctl } from "./platformctl.ts";
export { referencePage } from "./reference-page.ts";
