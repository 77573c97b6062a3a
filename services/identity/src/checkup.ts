// What tells whether the service's settings hold, without starting it.
export { type IdentityConfig, identitySettings, readConfig } from "./config.ts";
export type { Issuer } from "./credentials/issuer.ts";
export { IssuerKeys } from "./credentials/issuer-keys.ts";
