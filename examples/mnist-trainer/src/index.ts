export { BackOff } from "./agent/back-off.ts";
export { DirectoryInUseError } from "./agent/data-directory.ts";
export { JournalError } from "./agent/journal.ts";
export { type RunningTrainer, runTrainer, type TrainerOptions } from "./agent/run-trainer.ts";
export {
  type Progress,
  type PublishedArtifact,
  RefusedError,
  type SavedCheckpoint,
  type StartingPoint,
  type StepListener,
  type Workload,
} from "./agent/workload.ts";
export { loadMnist, type Mnist } from "./learning/mnist.ts";
export { mnistJob, primaryMetric } from "./mnist-job.ts";
export { startTrainer, type TrainerConfig } from "./mnist-trainer.ts";
export { trainerSettings } from "./settings.ts";
