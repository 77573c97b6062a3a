export { type GatewayConfig, gatewaySettings, readConfig } from "./config.ts";
export { startGateway } from "./gateway-service.ts";
