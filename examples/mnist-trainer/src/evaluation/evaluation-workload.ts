import { readFile, realpath } from "node:fs/promises";
import { sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type Progress,
  type PublishedArtifact,
  RefusedError,
  type SavedCheckpoint,
  type StepListener,
  type Workload,
} from "@aiplatform/trainer";
import { loadMnist, type Mnist } from "../learning/mnist.ts";
import { NetworkPass } from "../learning/network.ts";
import { Random } from "../learning/random.ts";
import { decodeOnnx } from "../onnx/read-onnx-model.ts";
import { type EvaluationPlan, evaluationPlan } from "./evaluation-plan.ts";
import { placeTestImage } from "./place-test-image.ts";

/** Images a step looks at: ten points for all there are. */
const imagesPerStep = 1_000;
/** Images judged between two looks at the event loop, some 10 ms. */
const imagesPerTurn = 250;

/** A model that lies outside of the directories in which models may be. */
class ModelPlaceError extends Error {
  override name = "ModelPlaceError";
  constructor(uri: string) {
    super(`${uri} is in none of the directories that models are read from`);
  }
}

/** Judges a model that a training job left, on test images as they are or made worse, and reports its `accuracy`. */
export class EvaluationWorkload implements Workload {
  readonly leavesNothing = true;
  readonly #directories: readonly string[];
  #plan: EvaluationPlan | undefined;
  #judging: { pass: NetworkPass; data: Mnist; random: Random } | undefined;
  #step = 0;
  #seen = 0;
  #right = 0;
  #loss = 0;

  /** Models are read from below these directories only. */
  constructor(directories: readonly string[]) {
    this.#directories = directories;
  }

  get devices(): readonly string[] {
    return this.#judging ? ["cpu"] : [];
  }

  get step(): number {
    return this.#step;
  }

  configure(configuration: object): void {
    this.#plan = evaluationPlan(configuration);
  }

  async prepare(): Promise<void> {
    const { artifactUri, seed } = this.#planned();
    const parameters = decodeOnnx(await readFile(await this.#pathOf(artifactUri)));
    const data = await loadMnist();
    this.#judging = { pass: new NetworkPass(parameters), data, random: Random.seeded(seed) };
    [this.#step, this.#seen, this.#right, this.#loss] = [0, 0, 0, 0];
  }

  async takeStep(listener: StepListener): Promise<Progress> {
    const plan = this.#planned();
    const end = Math.min(plan.images, this.#seen + imagesPerStep);
    while (this.#seen < end) {
      if (this.#seen % imagesPerTurn === 0) await setImmediate();
      this.#judgeNext(plan);
    }
    this.#step += 1;
    listener.point("accuracy", this.#right / this.#seen);
    listener.point("loss", this.#loss / this.#seen);
    return { complete: this.#seen >= plan.images };
  }

  check(): void {
    throw new RefusedError("an evaluation takes no overrides");
  }

  change(): void {
    this.check();
  }

  save(): Promise<SavedCheckpoint> {
    return Promise.reject(new RefusedError("an evaluation has no checkpoints; it is over in seconds"));
  }

  async release(): Promise<string> {
    this.#judging = undefined;
    return "released the images";
  }

  publish(): Promise<PublishedArtifact> {
    return Promise.reject(new RefusedError("an evaluation leaves nothing but its metrics"));
  }

  checkpoints(): readonly SavedCheckpoint[] {
    return [];
  }

  best(): undefined {
    return undefined;
  }

  #planned(): EvaluationPlan {
    if (!this.#plan) throw new Error("nothing is configured");
    return this.#plan;
  }

  #judgeNext(plan: EvaluationPlan): void {
    if (!this.#judging) throw new Error("nothing is loaded");
    const { pass, data, random } = this.#judging;
    placeTestImage(data.testImages, { image: this.#seen, ...plan }, pass.input, random);
    const { correct, loss } = pass.judge(data.testLabels[this.#seen] ?? 0);
    this.#seen += 1;
    this.#right += correct ? 1 : 0;
    this.#loss += loss;
  }

  async #pathOf(uri: string): Promise<string> {
    const path = await realpath(fileURLToPath(uri));
    const allowed = await Promise.all(this.#directories.map((each) => realpath(each).catch(() => undefined)));
    if (allowed.some((each) => each !== undefined && path.startsWith(each + sep))) return path;
    throw new ModelPlaceError(uri);
  }
}
