export { readConfig } from "./config.ts";
export { startDataService } from "./data-service.ts";
