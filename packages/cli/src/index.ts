export { exitCodes } from "./exit-codes.ts";
export { type Invocation, platformctl } from "./platformctl.ts";
