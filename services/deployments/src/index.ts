export { type DeploymentsConfig, deploymentsSettings, readConfig } from "./config.ts";
export { startDeploymentsService } from "./deployments-service.ts";
