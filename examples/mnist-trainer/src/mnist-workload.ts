import { join } from "node:path";
import {
  CheckpointStore,
  type Progress,
  type PublishedArtifact,
  RefusedError,
  type SavedCheckpoint,
  type StartingPoint,
  type StepListener,
  type Workload,
  writeArtifact,
} from "@aiplatform/trainer";
import { v7 as uuid } from "uuid";
import { mnistCodec } from "./learning/checkpoint-file.ts";
import {
  defaultHyperparameters,
  type Hyperparameters,
  OverrideError,
  withConfiguration,
  withOverrides,
} from "./learning/hyperparameters.ts";
import { loadMnist, type Mnist } from "./learning/mnist.ts";
import { isFullEvaluation } from "./learning/schedule.ts";
import { TrainingSession } from "./learning/training-session.ts";
import type { TrainingState } from "./learning/training-state.ts";
import { collectGarbage } from "./memory.ts";
import { primaryMetric } from "./mnist-job.ts";
import { encodeOnnx } from "./onnx/onnx-model.ts";

const imagesOfQuickLook = 1_000;

/** Training of the digit classifier, as the agent drives it. */
export class MnistWorkload implements Workload {
  readonly #directory: string;
  readonly #store: CheckpointStore<TrainingState>;
  #configured: Hyperparameters = defaultHyperparameters;
  #data: Mnist | undefined;
  #session: TrainingSession | undefined;

  private constructor(directory: string, store: CheckpointStore<TrainingState>) {
    this.#directory = directory;
    this.#store = store;
  }

  /** Opens the checkpoints under a directory; log which of them are damaged. */
  static async open(directory: string, log: (line: string) => void): Promise<MnistWorkload> {
    const store = await CheckpointStore.open({
      directory: join(directory, "checkpoints"),
      codec: mnistCodec,
      primaryMetric,
    });
    for (const { message } of store.damaged) log(message);
    return new MnistWorkload(directory, store);
  }

  get devices(): readonly string[] {
    return this.#session ? ["cpu"] : [];
  }

  get step(): number {
    return this.#session?.step ?? 0;
  }

  configure(configuration: object): void {
    this.#configured = withConfiguration(configuration);
  }

  async prepare({ checkpointId, restore, overrides }: StartingPoint): Promise<void> {
    const state = checkpointId === null ? undefined : await this.#store.load(checkpointId);
    this.#data ??= await loadMnist();
    const hyperparameters = withOverrides(state?.hyperparameters ?? this.#configured, overrides, restore === "weights");
    if (!state) this.#session = TrainingSession.fresh(this.#data, hyperparameters);
    else if (restore === "weights") this.#session = TrainingSession.warm(this.#data, state, hyperparameters);
    else {
      this.#session = TrainingSession.restore(this.#data, state);
      this.#session.change(hyperparameters);
    }
  }

  async takeStep(listener: StepListener): Promise<Progress> {
    const session = this.#loaded();
    const rate = session.learningRate;
    session.takeStep();
    const { step } = session;
    const { logEvery, evalEvery, checkpointEvery } = session.hyperparameters;
    if (step % logEvery === 0) {
      const { loss, accuracy } = session.takeMean();
      listener.point("train_loss", loss);
      listener.point("train_accuracy", accuracy);
      listener.point("learning_rate", rate);
    }
    const measured = step % evalEvery === 0 ? await evaluate(session, listener) : {};
    const isBest = (measured[primaryMetric] ?? -1) > (this.#bestAccuracy() ?? -1);
    const due = isBest || step % checkpointEvery === 0 || session.complete;
    return { complete: session.complete, ...(due ? { checkpoint: measured } : {}) };
  }

  check(overrides: object, { cold }: { cold: boolean }): void {
    try {
      withOverrides(this.#configured, overrides, cold);
    } catch (error) {
      if (error instanceof OverrideError) throw new RefusedError(error.message, { cause: error });
      throw error;
    }
  }

  change(overrides: object): void {
    const session = this.#loaded();
    session.change(withOverrides(session.hyperparameters, overrides, false));
  }

  save({ pinned, segmentIndex, metrics }: Parameters<Workload["save"]>[0]): Promise<SavedCheckpoint> {
    const label = { id: uuid(), segmentIndex, metrics, createdAt: Date.now() };
    return this.#store.save(label, this.#loaded().state(), pinned);
  }

  async release(): Promise<string> {
    const before = collectGarbage();
    this.#session = undefined;
    this.#data = undefined;
    const after = collectGarbage();
    return `released ${Math.round((before - after) / 1e6)} MB of arrays, ${Math.round(after / 1e6)} MB remain`;
  }

  async publish(checkpointId: string): Promise<PublishedArtifact> {
    const state = await this.#store.load(checkpointId);
    const data = this.#data ?? (await loadMnist());
    const { accuracy, loss } = await TrainingSession.restore(data, state).evaluate();
    const metrics = { [primaryMetric]: accuracy, test_loss: loss };
    const properties = { checkpoint_id: checkpointId, step: String(state.step), test_accuracy: String(accuracy) };
    const bytes = encodeOnnx(state.parameters, properties);
    const path = join(this.#directory, "artifacts", `${checkpointId}.onnx`);
    return writeArtifact(path, bytes, { format: "onnx", metrics });
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

  #bestAccuracy(): number | undefined {
    return this.#store.best()?.metrics[primaryMetric];
  }

  #loaded(): TrainingSession {
    if (!this.#session) throw new Error("nothing is loaded");
    return this.#session;
  }
}

/** Looks at a thousand test images, or at all of them; returns what describes the model at this step. */
async function evaluate(session: TrainingSession, listener: StepListener): Promise<Record<string, number>> {
  const { step, hyperparameters } = session;
  if (!isFullEvaluation(step, hyperparameters.evalEvery)) {
    const { accuracy } = await session.evaluate(imagesOfQuickLook);
    listener.point("quick_test_accuracy", accuracy);
    return {};
  }
  listener.evaluating(true);
  const { accuracy, loss } = await session.evaluate();
  listener.evaluating(false);
  listener.point(primaryMetric, accuracy);
  listener.point("test_loss", loss);
  return { [primaryMetric]: accuracy, test_loss: loss };
}
