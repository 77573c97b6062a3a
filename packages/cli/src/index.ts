export { exitCodes } from "./exit-codes.ts";
export { platformctl } from "./platformctl.ts";
export { referencePage } from "./reference-page.ts";
