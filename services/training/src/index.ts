export { trainingConfig, trainingSettings, type TrainingConfig } from "./config.ts";
export { startTrainingService } from "./training-service.ts";
