export { readConfig } from "./config.ts";
export { startTrainingService } from "./training-service.ts";
