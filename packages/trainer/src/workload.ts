import type { RunDatasets } from "./datasets/run-datasets.ts";

/** A cell of a table. */
export type Cell = string | number | boolean | null;

/** Hears what a step brings to light. What is shown is listed by its step among the media of the run. */
export interface StepListener {
  /** A value of a metric, of the step just taken. */
  point(metric: string, value: number): void;
  /** Shows a PNG, JPEG or WebP of at most 10 MiB. @throws MediaError */
  image(name: string, bytes: Uint8Array): void;
  /** Shows how numbers are spread; those that are not finite are left out. `bins`: default 64, at most 512. @throws MediaError */
  histogram(name: string, values: Iterable<number>, bins?: number): void;
  /** Shows rows with a value for each column. @throws MediaError */
  table(name: string, columns: readonly string[], rows: Iterable<readonly Cell[]>): void;
  /** Shows a text of at most 1 MiB. @throws MediaError */
  text(name: string, content: string): void;
  /** The step goes on with a measurement long enough to be told of, or comes back from it. */
  evaluating(underWay: boolean): void;
}

/** A checkpoint that is durable. */
export interface SavedCheckpoint {
  /** uuid. */
  id: string;
  step: number;
  segmentIndex: number;
  /** Measured at this very step, by name. */
  metrics: Readonly<Record<string, number>>;
  uri: string;
  /** Hexadecimal. */
  sha256: string;
  sizeBytes: number;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** A result that is durable. */
export interface PublishedArtifact {
  uri: string;
  sha256: string;
  sizeBytes: number;
  format: string;
  metrics: Readonly<Record<string, number>>;
}

export interface StartingPoint {
  /** Null: from nothing. */
  checkpointId: string | null;
  /** The whole training state, or the weights alone. */
  restore: "full" | "weights";
  /** Changes that hold from the first step on. */
  overrides: object;
}

/** What came of a step. */
export interface Progress {
  /** A checkpoint is due, with these metrics. */
  checkpoint?: Readonly<Record<string, number>>;
  /** There is nothing left to train. */
  complete: boolean;
}

/** A command cannot be applied as requested; its sender receives the message. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/**
 * The training itself, as the agent drives it. Calls never overlap. Whatever is asked to be repeated from the same
 * starting point has to come out the same, or a crash shows in the curve.
 */
export interface Workload {
  /** Its metrics are all its result: the job ends without an artifact. Default: it leaves its best checkpoint. */
  readonly leavesNothing?: true;
  /** Devices in use; empty while nothing is loaded. */
  readonly devices: readonly string[];
  /** Steps taken. */
  readonly step: number;
  /** Takes over what the job's declaration configures, and the data that its run reads; called before the first `prepare`. */
  configure(configuration: object, datasets: RunDatasets): void;
  /** Loads what is needed; what was loaded before stays until this has succeeded. */
  prepare(from: StartingPoint): Promise<void>;
  /** Takes the next step. */
  takeStep(listener: StepListener): Promise<Progress>;
  /** @throws RefusedError unless the overrides may be changed now (`cold`: with a warm restart) */
  check(overrides: object, o: { cold: boolean }): void;
  /** Changes what may change between two steps. */
  change(overrides: object): void;
  /** Resolves when the whole training state is durable. `pinned` checkpoints are kept whatever their age. */
  save(o: {
    segmentIndex: number;
    metrics: Readonly<Record<string, number>>;
    pinned: readonly string[];
  }): Promise<SavedCheckpoint>;
  /** Lets go of devices and memory; returns in a sentence what that freed. */
  release(): Promise<string>;
  /** Publishes a checkpoint as the result. */
  publish(checkpointId: string): Promise<PublishedArtifact>;
  /** Checkpoints that are kept, oldest first. */
  checkpoints(): readonly SavedCheckpoint[];
  /** Deletes a checkpoint, if it is kept; it has been pruned. Default: its files stay. */
  discard?(checkpointId: string): Promise<void>;
  /** The checkpoint to publish when the schedule has run out. */
  best(): SavedCheckpoint | undefined;
}

/** What became of a command. */
export interface Outcome {
  commandId: string;
  sequence: number;
  /** Whether the platform has recorded it. */
  acknowledged: boolean;
  refused?: string;
  applied?: {
    checkpointId?: string;
    checkpoint?: SavedCheckpoint;
    startStep?: number;
    artifact?: PublishedArtifact;
    detail?: string;
  };
}
