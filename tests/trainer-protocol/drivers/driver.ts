// The TypeScript trainer as a program of the conformance suite; `../README.md` says what a driver does.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  connectOverHttps,
  type Progress,
  type PublishedArtifact,
  type RunDatasets,
  runTrainer,
  type SavedCheckpoint,
  type StartingPoint,
  StateWorkload,
  type StepListener,
  type Workload,
} from "@aiplatform/trainer";

interface Values {
  step: number;
  loss: number;
  momentum: number;
  dice: number;
  rate: number;
}

const { PLATFORM_URL = "", PLATFORM_API_KEY = "", PIPELINE_ID = "", RUN_ID = "", JOB_NAME = "" } = process.env;
const { DATA_DIRECTORY = "", TOTAL, FAILS_AT, HOLD_AT = "", CLOCK_JUMP = "0:0", ENDS_WHEN, SHOWS_AT } = process.env;
const { READS, DATASET_DIRECTORY = join(DATA_DIRECTORY, "datasets") } = process.env;
const [heldAt, heldTime] = HOLD_AT.split(":");
const [jumpsAt, jumpSeconds] = CLOCK_JUMP.split(":").map(Number);
const seen = new Map<string, number>();

/** One line for an effect that is there; holds where the suite wants it. */
async function tell(effect: string, more: object = {}): Promise<void> {
  process.stdout.write(`${JSON.stringify({ effect, ...more })}\n`);
  seen.set(effect, (seen.get(effect) ?? 0) + 1);
  if (effect === heldAt && seen.get(effect) === Number(heldTime)) await new Promise(() => {});
}

let offsetMs = 0;
const wallClock = Date.now;
Date.now = () => wallClock() + offsetMs;

const parameters = { learning_rate: 0.01 };

/** In the order of `curve.py`: the doubles have to be the same. */
function next({ step, loss, momentum, dice }: Values, { learning_rate: rate }: typeof parameters): Values {
  const thrown = (dice * 16_807) % 2_147_483_647;
  const moved = 0.5 * momentum + rate * (thrown / 2_147_483_647);
  return { step: step + 1, loss: loss * (1 - moved), momentum: moved, dice: thrown, rate };
}

/** One of each kind, and a text that is too large for a report. */
function show(listener: StepListener): void {
  listener.text("note", "hello");
  listener.text("essay", "x".repeat(9_000));
  listener.histogram("weights", [0, 1, 2, 3, Number.POSITIVE_INFINITY], 4);
  const rows = [["a", 1.5] as const, [null, true] as const, ["b", Number.NaN] as const];
  listener.table("samples", ["name", "score"], rows);
  listener.image("dot", readFileSync(join(import.meta.dirname, "..", "dot.png")));
}

/** All rows of the data that the run names like this, of two of its columns. */
async function read(datasets: RunDatasets): Promise<void> {
  if (READS === undefined) return;
  let [rows, sum] = [0, 0];
  for await (const batch of datasets.named(READS).batches({ columns: ["id", "value"], size: 500 })) {
    rows += batch.length;
    for (const { value } of batch) sum += Number(value);
  }
  await tell("read", { rows, sum });
}

/** Tells what happens to the training state, once a step was taken. */
class ToldWorkload implements Workload {
  readonly #inner: StateWorkload<Values, typeof parameters>;

  constructor(inner: StateWorkload<Values, typeof parameters>) {
    this.#inner = inner;
  }

  get devices(): readonly string[] {
    return this.#inner.devices;
  }

  get step(): number {
    return this.#inner.step;
  }

  configure(configuration: object, datasets: RunDatasets): void {
    this.#inner.configure(configuration, datasets);
  }

  async prepare(from: StartingPoint): Promise<void> {
    await this.#inner.prepare(from);
    if (this.step > 0) await tell("loaded", { step: this.step });
  }

  async takeStep(listener: StepListener): Promise<Progress> {
    if (this.step + 1 === Number(FAILS_AT)) throw new Error("the data is gone");
    if (this.step + 1 === jumpsAt) offsetMs = (jumpSeconds ?? 0) * 1_000;
    const progress = await this.#inner.takeStep(listener);
    if (this.step === Number(SHOWS_AT)) show(listener);
    await tell("step", { step: this.step });
    return progress;
  }

  check(overrides: object): void {
    this.#inner.check(overrides);
  }

  change(overrides: object): void {
    this.#inner.change(overrides);
  }

  async save(o: Parameters<Workload["save"]>[0]): Promise<SavedCheckpoint> {
    const saved = await this.#inner.save(o);
    await tell("saved", { step: saved.step });
    return saved;
  }

  async release(): Promise<string> {
    const detail = await this.#inner.release();
    await tell("released");
    return detail;
  }

  async publish(checkpointId: string): Promise<PublishedArtifact> {
    const artifact = await this.#inner.publish(checkpointId);
    await tell("exported");
    return artifact;
  }

  checkpoints(): readonly SavedCheckpoint[] {
    return this.#inner.checkpoints();
  }

  discard(checkpointId: string): Promise<void> {
    return this.#inner.discard(checkpointId);
  }

  best(): SavedCheckpoint | undefined {
    return this.#inner.best();
  }
}

const begin = ({ learning_rate: rate }: typeof parameters): Values => ({
  step: 0,
  loss: 1,
  momentum: 0,
  dice: 7,
  rate,
});
const metrics = ({ loss, rate }: Values) => ({ loss, rate });
const job = { runId: RUN_ID, jobName: JOB_NAME, directory: DATA_DIRECTORY, datasetDirectory: DATASET_DIRECTORY };
const platform = { url: PLATFORM_URL, apiKey: PLATFORM_API_KEY, pipelineId: PIPELINE_ID };
const log = (line: string) => process.stderr.write(`${line}\n`);
try {
  const workload = await StateWorkload.open({
    directory: DATA_DIRECTORY,
    parameters,
    read,
    begin,
    next,
    metrics,
    checkpointEvery: 40,
    get plannedSteps() {
      return ENDS_WHEN === undefined || existsSync(ENDS_WHEN) ? Number(TOTAL) : Number.POSITIVE_INFINITY;
    },
  });
  const pace = { stepsPerSecond: 300, log };
  const trainer = await runTrainer({ ...connectOverHttps(platform), ...job, ...pace }, new ToldWorkload(workload));
  process.once("SIGTERM", () => void trainer.stop());
  await tell(await trainer.done);
} catch (error) {
  log(String(error));
  process.exitCode = 1;
}
