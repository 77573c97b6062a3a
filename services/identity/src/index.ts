export { readConfig } from "./config.ts";
export { startIdentityService } from "./identity-service.ts";
