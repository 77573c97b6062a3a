import { join } from "node:path";
import { v7 as uuid } from "uuid";
import { writeArtifact } from "./checkpoints/artifact-file.ts";
import { jsonCodec } from "./checkpoints/checkpoint-codec.ts";
import { CheckpointStore } from "./checkpoints/checkpoint-store.ts";
import type { RunDatasets } from "./datasets/run-datasets.ts";
import {
  type Progress,
  type PublishedArtifact,
  RefusedError,
  type SavedCheckpoint,
  type StartingPoint,
  type StepListener,
  type Workload,
} from "./workload.ts";

/** Training as a pure function from state to state. States have to survive JSON. */
export interface StateWorkloadOptions<State extends { step: number }, Settings extends object> {
  /** Holds `checkpoints` and `artifacts`. */
  directory: string;
  /** Parameters and their defaults. The job's configuration and overrides may set these and no others. */
  parameters: Settings;
  /** Reads the data of the run, once, before the first state is needed. Default: there is none to read. */
  read?: (datasets: RunDatasets) => Promise<void>;
  /** The state before the first step, with step 0. */
  begin: (parameters: Settings) => State;
  /** The next state, its step one higher. The same state and parameters have to give the same one. */
  next: (state: State, parameters: Settings) => State;
  /** What to report of a state. More of the first metric makes a checkpoint better. */
  metrics: (state: State) => Readonly<Record<string, number>>;
  /** Steps after which training is complete. */
  plannedSteps: number;
  /** Steps between two checkpoints. Default 100. */
  checkpointEvery?: number;
}

/** What a checkpoint keeps: changed parameters are part of it. */
interface Kept<State, Settings> {
  step: number;
  state: State;
  parameters: Settings;
}

/**
 * A workload whose whole training state is a value: checkpoints and the result are that value as JSON. It has no weights apart
 * from the rest, so a warm restart restores all of it, with other parameters.
 */
export class StateWorkload<State extends { step: number }, Settings extends object> implements Workload {
  readonly #options: StateWorkloadOptions<State, Settings>;
  readonly #store: CheckpointStore<Kept<State, Settings>>;
  #configured: Settings;
  #parameters: Settings;
  #state: State | undefined;
  #datasets: RunDatasets | undefined;

  private constructor(options: StateWorkloadOptions<State, Settings>, store: CheckpointStore<Kept<State, Settings>>) {
    this.#options = options;
    this.#store = store;
    this.#configured = options.parameters;
    this.#parameters = options.parameters;
  }

  /** Opens the checkpoints that an earlier process has left. */
  static async open<State extends { step: number }, Settings extends object>(
    options: StateWorkloadOptions<State, Settings>,
  ): Promise<StateWorkload<State, Settings>> {
    const [primaryMetric = ""] = Object.keys(options.metrics(options.begin(options.parameters)));
    const directory = join(options.directory, "checkpoints");
    const store = await CheckpointStore.open<Kept<State, Settings>>({ directory, codec: jsonCodec(), primaryMetric });
    return new StateWorkload(options, store);
  }

  get devices(): readonly string[] {
    return this.#state ? ["cpu"] : [];
  }

  get step(): number {
    return this.#state?.step ?? 0;
  }

  configure(configuration: object, datasets: RunDatasets): void {
    this.check(configuration);
    this.#datasets = datasets;
    this.#configured = { ...this.#options.parameters, ...configuration };
  }

  async prepare({ checkpointId, overrides }: StartingPoint): Promise<void> {
    if (this.#datasets) await this.#options.read?.(this.#datasets);
    this.#datasets = undefined;
    const saved = checkpointId === null ? undefined : await this.#store.load(checkpointId);
    this.#parameters = { ...(saved?.parameters ?? this.#configured), ...overrides };
    this.#state = saved?.state ?? this.#options.begin(this.#parameters);
  }

  async takeStep(listener: StepListener): Promise<Progress> {
    const { next, metrics, plannedSteps, checkpointEvery = 100 } = this.#options;
    const state = next(this.#loaded(), this.#parameters);
    this.#state = state;
    const measured = metrics(state);
    for (const [metric, value] of Object.entries(measured)) listener.point(metric, value);
    const complete = state.step >= plannedSteps;
    const due = complete || state.step % checkpointEvery === 0;
    return { complete, ...(due && { checkpoint: measured }) };
  }

  check(overrides: object): void {
    const unknown = Object.keys(overrides).find((key) => !Object.hasOwn(this.#options.parameters, key));
    if (unknown !== undefined) throw new RefusedError(`this trainer has no parameter ${unknown}`);
  }

  change(overrides: object): void {
    this.#parameters = { ...this.#parameters, ...overrides };
  }

  save({ pinned, segmentIndex, metrics }: Parameters<Workload["save"]>[0]): Promise<SavedCheckpoint> {
    const label = { id: uuid(), segmentIndex, metrics, createdAt: Date.now() };
    const kept = { step: this.step, state: this.#loaded(), parameters: this.#parameters };
    return this.#store.save(label, kept, pinned);
  }

  async release(): Promise<string> {
    this.#state = undefined;
    return "released the training state";
  }

  async publish(checkpointId: string): Promise<PublishedArtifact> {
    const { state } = await this.#store.load(checkpointId);
    const path = join(this.#options.directory, "artifacts", `${checkpointId}.json`);
    const about = { format: "json", metrics: this.#options.metrics(state) };
    return writeArtifact(path, Buffer.from(JSON.stringify(state)), about);
  }

  checkpoints(): readonly SavedCheckpoint[] {
    return this.#store.list();
  }

  discard(checkpointId: string): Promise<void> {
    return this.#store.discard(checkpointId);
  }

  best(): SavedCheckpoint | undefined {
    return this.#store.best();
  }

  #loaded(): State {
    if (!this.#state) throw new Error("nothing is loaded");
    return this.#state;
  }
}
