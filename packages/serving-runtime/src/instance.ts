import { performance } from "node:perf_hooks";
import type { RuntimeConfig } from "./config.ts";
import type { Engine } from "./engines/engine.ts";
import { LoadError, PredictionError, toPredictionError } from "./errors.ts";
import { openProxy } from "./handler/egress-door.ts";
import { createInterfaceCheck } from "./interface-check.ts";
import type { ServingManifest } from "./manifest.ts";
import type { PredictionMetrics } from "./metrics.ts";
import type { InferenceAnswer, InferenceRequest } from "./protocol/inference.ts";
import { WorkQueue } from "./work-queue.ts";

/** What an instance says of itself on `/state`. */
export interface InstanceReport {
  readonly state: "starting" | "ready" | "failed";
  readonly reason?: string;
  readonly detail?: string;
  readonly in_flight: number;
  readonly last_used_at: string | null;
}

type State =
  | { readonly name: "starting" }
  | { readonly name: "ready"; readonly engine: Engine }
  | { readonly name: "failed"; readonly error: LoadError };

/** Requests that wait for each that is worked on. */
const waitingEach = 4;
const minWaiting = 16;

export interface InstanceParts {
  readonly config: RuntimeConfig;
  readonly manifest: ServingManifest;
  /** Files that a handler shall not read. */
  readonly hidden: readonly string[];
  readonly metrics: PredictionMetrics;
  readonly now: () => Date;
}

/** One model or handler: loads once, then predicts. */
export class Instance implements AsyncDisposable {
  readonly manifest: ServingManifest;
  readonly #parts: InstanceParts;
  readonly #queue: WorkQueue;
  #state: State = { name: "starting" };
  #isDraining = false;

  constructor(parts: InstanceParts) {
    this.#parts = parts;
    this.manifest = parts.manifest;
    const { concurrency, timeout_ms: timeoutMs } = parts.manifest;
    const waiting = Math.max(minWaiting, concurrency * waitingEach);
    this.#queue = new WorkQueue({ concurrency, waiting, timeoutMs }, parts.now);
  }

  /** Loads what is to be served; a failure is told by {@link report}. */
  async load(): Promise<void> {
    try {
      this.#state = { name: "ready", engine: await this.#createEngine() };
    } catch (error) {
      this.#fail(error instanceof LoadError ? error : new LoadError("ModelLoadFailed", "it could not be loaded"));
    }
  }

  /** Requests to come go elsewhere; those that come all the same are answered. */
  drain(): void {
    this.#isDraining = true;
  }

  get isReady(): boolean {
    return this.#state.name === "ready" && !this.#isDraining;
  }

  get report(): InstanceReport {
    const failed = this.#state.name === "failed" ? this.#state.error : undefined;
    return {
      state: this.#state.name,
      ...(failed && { reason: failed.reason, detail: failed.message }),
      in_flight: this.#queue.inFlight,
      last_used_at: this.#queue.lastUsedAt?.toISOString() ?? null,
    };
  }

  /** @throws PredictionError not_ready */
  get engine(): Engine {
    if (this.#state.name === "ready") return this.#state.engine;
    const why = this.#state.name === "starting" ? "The model is being loaded" : "The model could not be loaded";
    throw new PredictionError("not_ready", why);
  }

  /** @throws PredictionError unknown_model */
  assertServes(name: string, version: string | undefined): void {
    const { model_name, version: served } = this.manifest;
    if (name !== model_name) throw new PredictionError("unknown_model", "There is no such model here");
    if (version !== undefined && version !== "" && version !== served) {
      throw new PredictionError("unknown_model", "There is no such version of the model here");
    }
  }

  /** @throws PredictionError */
  async predict(request: InferenceRequest, gone?: AbortSignal): Promise<InferenceAnswer> {
    const startedAt = performance.now();
    let outcome = "done";
    try {
      const { engine } = this;
      return await this.#queue.run((signal) => engine.infer(request, signal), gone);
    } catch (error) {
      const failure = toPredictionError(error);
      outcome = failure.kind;
      throw failure;
    } finally {
      this.#parts.metrics.predicted(outcome, (performance.now() - startedAt) / 1_000);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state.name === "ready") await this.#state.engine[Symbol.asyncDispose]();
  }

  #fail(error: LoadError): void {
    this.#state = { name: "failed", error };
    process.stderr.write(`${JSON.stringify({ msg: "cannot serve", reason: error.reason, detail: error.message })}\n`);
  }

  async #createEngine(): Promise<Engine> {
    const { config, manifest, hidden } = this.#parts;
    const { SERVING_DIRECTORY: directory, ONNX_THREADS: threads } = config;
    const check = createInterfaceCheck(manifest.interface);
    // Each engine brings what it needs; the other's is not loaded.
    if (manifest.runtime === "onnx") {
      const { createOnnxEngine } = await import("./engines/onnx-engine.ts");
      return createOnnxEngine({ directory, threads, check, isChecked: manifest.interface !== undefined });
    }
    const proxy = manifest.network ? await openProxy(config.EGRESS_PROXY) : undefined;
    const { createNodeEngine } = await import("./engines/node-engine.ts");
    return createNodeEngine({
      ...{ directory, manifest, hidden, threads, check, proxy },
      loadTimeoutMs: config.LOAD_TIMEOUT_MS,
      maxAnswer: config.MAX_BODY_BYTES,
      onUnfit: (error) => this.#fail(error),
    });
  }
}
