export { type ContentConfig, contentSettings, readConfig } from "./config.ts";
export { startContentService } from "./content-service.ts";
