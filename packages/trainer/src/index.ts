/**
 * What every trainer needs: its attachment to the platform, the order and the effects of commands, reports that survive
 * crashes and outages, and durable checkpoints. A trainer brings a {@link Workload}, or a {@link StateWorkload}.
 */
export { DirectoryInUseError } from "./agent/data-directory.ts";
export { JournalError } from "./agent/journal.ts";
export { type RunningTrainer, runTrainer, type TrainerOptions } from "./agent/run-trainer.ts";
export { writeArtifact } from "./checkpoints/artifact-file.ts";
export {
  type CheckpointCodec,
  CheckpointFileError,
  type CheckpointLabel,
  jsonCodec,
} from "./checkpoints/checkpoint-codec.ts";
export { CheckpointGoneError, CheckpointStore, type CheckpointStoreOptions } from "./checkpoints/checkpoint-store.ts";
export { writeDurably } from "./checkpoints/durable-file.ts";
export type { DownloadDataset, GivenBytes, WantedBytes } from "./dataset-files/dataset-files.ts";
export type { Row } from "./datasets/parquet-rows.ts";
export { DatasetDigestError, DatasetError, type RunDataset } from "./datasets/run-dataset.ts";
export type { Dataset, RowOptions, RunDatasets } from "./datasets/run-datasets.ts";
export { connectOverHttps, type PlatformAddress } from "./https/connect-over-https.ts";
export { MediaError } from "./media/medium.ts";
export { StateWorkload, type StateWorkloadOptions } from "./state-workload.ts";
export {
  type Cell,
  type Progress,
  type PublishedArtifact,
  RefusedError,
  type SavedCheckpoint,
  type StartingPoint,
  type StepListener,
  type Workload,
} from "./workload.ts";
