// What tells whether the service's settings hold, without starting it.
export { type GatewayConfig, gatewaySettings, readConfig } from "./config.ts";
