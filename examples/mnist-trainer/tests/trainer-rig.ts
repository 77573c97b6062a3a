import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createMeshTransport } from "@aiplatform/service-host";
import { type RunningTrainer, runTrainer } from "../src/agent/run-trainer.ts";
import { withConfiguration } from "../src/learning/hyperparameters.ts";
import { loadMnist } from "../src/learning/mnist.ts";
import { TrainingSession } from "../src/learning/training-session.ts";
import { MnistWorkload } from "../src/mnist-workload.ts";
import { TestPlatform } from "./test-platform.ts";

/** Small steps and no evaluation: what is tested is the steering. */
export const configuration = {
  batch_size: 8,
  log_every: 5,
  eval_every: 1_000_000,
  checkpoint_every: 40,
  planned_steps: 1_000_000,
};

/** Resolves as soon as the condition holds; looked at every few milliseconds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5);
}

/** The reported losses of an uninterrupted run of so many steps. */
export async function uninterrupted(steps: number): Promise<[step: number, loss: number][]> {
  const session = TrainingSession.fresh(await loadMnist(), withConfiguration(configuration));
  const curve: [number, number][] = [];
  while (session.step < steps) {
    session.takeStep();
    if (session.step % configuration.log_every === 0) curve.push([session.step, session.takeMean().loss]);
  }
  return curve;
}

/** A platform, a directory and the trainers that a test starts on them. */
export class TrainerRig implements AsyncDisposable {
  readonly platform: TestPlatform;
  readonly directory: string;
  readonly #transports: { close(): void }[] = [];
  readonly #trainers: RunningTrainer[] = [];
  readonly lines: string[] = [];

  private constructor(platform: TestPlatform, directory: string) {
    this.platform = platform;
    this.directory = directory;
  }

  static async start(more: object = {}): Promise<TrainerRig> {
    const platform = await new TestPlatform({ ...configuration, ...more }).start();
    return new TrainerRig(platform, await mkdtemp(join(tmpdir(), "trainer-")));
  }

  async train(): Promise<RunningTrainer> {
    const transport = createMeshTransport({ addresses: this.platform.address, channels: 1 });
    this.#transports.push(transport);
    const { runId, jobName } = this.platform;
    const says = (line: string) => this.lines.push(line);
    const options = { transport, apiKey: "key", runId, jobName, directory: this.directory, stepsPerSecond: 300, says };
    const trainer = await runTrainer(options, await MnistWorkload.open(this.directory, says));
    this.#trainers.push(trainer);
    return trainer;
  }

  /** Resolves when the platform has a loss of this step or a later one in a segment. */
  reached(step: number, segment = 0): Promise<void> {
    return until(() => this.platform.curve("train_loss", segment).some(([at]) => at >= step));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#trainers.map((trainer) => trainer.stop()));
    for (const transport of this.#transports) transport.close();
    await this.platform[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true, force: true });
  }
}
