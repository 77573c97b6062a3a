import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMeshTransport } from "@aiplatform/service-host";
import { eventually } from "@aiplatform/testkit";
import { type RunDatasets, type RunningTrainer, runTrainer, type TrainerOptions } from "@aiplatform/trainer";
import { decayWorkload } from "./decay-workload.ts";
import { TestPlatform } from "./test-platform.ts";

/** What a trainer reads, and from where. */
export interface Reading extends Pick<TrainerOptions, "download"> {
  read: (datasets: RunDatasets) => Promise<void>;
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

  static async start(): Promise<TrainerRig> {
    const platform = await new TestPlatform().start();
    return new TrainerRig(platform, await mkdtemp(join(tmpdir(), "trainer-")));
  }

  async train(plannedSteps?: number, reading?: Reading): Promise<RunningTrainer> {
    const transport = createMeshTransport({ addresses: this.platform.address, channels: 1 });
    this.#transports.push(transport);
    const { runId, jobName } = this.platform;
    const log = (line: string) => this.lines.push(line);
    const { directory } = this;
    const job = { transport, apiKey: "key", runId, jobName, directory, datasetDirectory: join(directory, "datasets") };
    const options = { ...job, stepsPerSecond: 300, log, ...(reading && { download: reading.download }) };
    const trainer = await runTrainer(options, await decayWorkload(directory, { plannedSteps, read: reading?.read }));
    this.#trainers.push(trainer);
    return trainer;
  }

  /** Resolves when the platform has a loss of this step or a later one in a segment. */
  async reached(step: number, segment = 0): Promise<void> {
    await eventually(() => this.platform.curve("train_loss", segment).some(([at]) => at >= step));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#trainers.map((trainer) => trainer.stop()));
    for (const transport of this.#transports) transport.close();
    await this.platform[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true, force: true });
  }
}
