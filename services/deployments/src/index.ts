export { readConfig } from "./config.ts";
export { startDeploymentsService } from "./deployments-service.ts";
