export { loadMnist, type Mnist } from "./learning/mnist.ts";
export { mnistJob, primaryMetric } from "./mnist-job.ts";
export { startTrainer, type TrainerConfig } from "./mnist-trainer.ts";
export { trainerSettings } from "./settings.ts";
