export { readConfig } from "./config.ts";
export { startContentService } from "./content-service.ts";
