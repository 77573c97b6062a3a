// What tells whether the service's settings hold, without starting it.
export { readConfig, type TrainingConfig, trainingSettings } from "./config.ts";
