export { readConfig, type TrainingConfig, trainingSettings } from "./config.ts";
export { startTrainingService } from "./training-service.ts";
