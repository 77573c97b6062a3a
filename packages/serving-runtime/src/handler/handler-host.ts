import { extname } from "node:path";
import process from "node:process";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { type Backoff, backoffMs } from "@aiplatform/backoff";
import { bounded, LoadError, PredictionError } from "../errors.ts";
import type { Parameter } from "../protocol/inference.ts";
import type { JsonTensor } from "../protocol/tensor.ts";
import type { FromHandler, HandlerData, ToHandler } from "./handler-messages.ts";
import { passOnBounded } from "./handler-output.ts";

export interface HandlerHostParts {
  readonly data: HandlerData;
  /** MiB of the thread's heap. */
  readonly heapMb: number;
  /** MiB of the whole process above which the thread is ended. */
  readonly memoryMb: number;
  readonly loadTimeoutMs: number;
  /** Computes a prediction of one of the bundle's models. */
  readonly infer: (alias: string, inputs: unknown) => Promise<readonly JsonTensor[]>;
}

/** How long a thread that was told to stop a call may take to say that it is still there, ms. */
const pongWithinMs = 250;
/** Calls that were given up and have not ended; with more of them the thread is replaced. */
const maxAbandoned = 32;
const memoryCheckMs = 100;
const mebibyte = 1_048_576;
const minMb = 48;
/** Beside this file, as a source or bundled. */
const threadProgram = new URL(`handler-thread${extname(import.meta.filename)}`, import.meta.url);
/** Between threads that end without having answered anything, ms: a bad request may end one, but not many a second. */
const restarting: Backoff = { minMs: 40, maxMs: 250 };

interface Call {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

/** Keeps a thread for a handler, and replaces it when it loops, runs out of memory, exits or breaks. */
export class HandlerHost implements AsyncDisposable {
  readonly #parts: HandlerHostParts;
  readonly #onUnfit: (error: LoadError) => void;
  #thread: HandlerThread | undefined;
  #starting: Promise<HandlerThread>;
  #losses = 0;
  #isClosed = false;

  private constructor(parts: HandlerHostParts, first: HandlerThread, onUnfit: (error: LoadError) => void) {
    this.#parts = parts;
    this.#onUnfit = onUnfit;
    this.#starting = Promise.resolve(first);
    this.#adopt(first);
  }

  /** `onUnfit` hears of a handler that once loaded and does not load again. @throws LoadError InvalidBundle */
  static async start(parts: HandlerHostParts, onUnfit: (error: LoadError) => void): Promise<HandlerHost> {
    return new HandlerHost(parts, await HandlerThread.start(parts), onUnfit);
  }

  /** Calls the handler; answers JSON text. @throws PredictionError handler_failed, engine_lost */
  async call(input: unknown, parameters: Record<string, Parameter>, signal: AbortSignal): Promise<string> {
    const thread = await this.#sound();
    signal.throwIfAborted();
    return await thread.call(input, parameters, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.end("The deployment is being stopped");
  }

  /** A thread that is there to stay, and not suspected of being stuck. */
  async #sound(): Promise<HandlerThread> {
    while (!this.#isClosed) {
      const thread = await this.#starting;
      await thread.cleared;
      if (!thread.isEnding) return thread;
      await thread.ended;
    }
    throw new PredictionError("engine_lost", "The deployment is being stopped");
  }

  #adopt(thread: HandlerThread): void {
    this.#thread = thread;
    void thread.ended.then(() => {
      if (this.#isClosed) return;
      this.#losses = thread.hasAnswered ? 0 : this.#losses + 1;
      this.#starting = this.#restart();
      // The next call gets the failure; here it only must not count as unhandled.
      this.#starting.catch(() => {});
    });
  }

  async #restart(): Promise<HandlerThread> {
    await new Promise((resolve) => setTimeout(resolve, backoffMs(restarting, this.#losses - 1)));
    try {
      const thread = await HandlerThread.start(this.#parts);
      if (this.#isClosed) await thread.end("The deployment is being stopped");
      else this.#adopt(thread);
      return thread;
    } catch (error) {
      if (error instanceof LoadError) this.#onUnfit(error);
      throw new PredictionError("engine_lost", "The handler no longer loads");
    }
  }
}

/** One thread, from its start to its end. */
class HandlerThread {
  /** Resolves when the thread is gone. */
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #parts: HandlerHostParts;
  readonly #maxBytes: number;
  readonly #loaded = Promise.withResolvers<void>();
  readonly #calls = new Map<number, Call>();
  readonly #abandoned = new Set<number>();
  #lastId = 0;
  #cause = "The handler ended its thread";
  #suspicion: { readonly timer: NodeJS.Timeout; readonly over: PromiseWithResolvers<void> } | undefined;
  #isEnding = false;
  #hasAnswered = false;

  private constructor(parts: HandlerHostParts) {
    this.#parts = parts;
    const { proxy } = parts.data;
    // Without flags of its own: with any, even none, it would leave the permission model.
    this.#worker = new Worker(threadProgram, {
      workerData: parts.data,
      // What clients of HTTP look for.
      env: proxy === undefined ? {} : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
      argv: [],
      stdout: true,
      stderr: true,
      name: "handler",
      resourceLimits: { maxOldGenerationSizeMb: parts.heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    passOnBounded(this.#worker.stdout, process.stderr);
    passOnBounded(this.#worker.stderr, process.stderr);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on("message", (message: FromHandler) => this.#hear(message));
    this.#worker.postMessage(port2, [port2]);
    this.#worker.on("error", (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      this.#cause = isMemory ? "The handler ran out of memory" : `The handler broke: ${bounded(String(error))}`;
    });
    // Whatever the process takes already, a thread gets something: it would not live to answer otherwise.
    this.#maxBytes = Math.max(parts.memoryMb * mebibyte, process.memoryUsage.rss() + minMb * mebibyte);
    const watch = setInterval(() => this.#watchMemory(), memoryCheckMs);
    this.ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        clearInterval(watch);
        this.#isEnding = true;
        this.#hearLastWords();
        this.#port.close();
        this.#loaded.reject(new LoadError("InvalidBundle", `handler.mjs: ${this.#cause}`));
        for (const call of this.#calls.values()) call.reject(new PredictionError("engine_lost", this.#cause));
        this.#calls.clear();
        resolve();
        this.#clear();
      });
    });
  }

  /** @throws LoadError InvalidBundle */
  static async start(parts: HandlerHostParts): Promise<HandlerThread> {
    const thread = new HandlerThread(parts);
    const loadTimer = setTimeout(
      () => void thread.end(`it took longer than ${parts.loadTimeoutMs} ms to load`),
      parts.loadTimeoutMs,
    );
    try {
      await thread.#loaded.promise;
      return thread;
    } catch (error) {
      await thread.end("");
      throw error;
    } finally {
      clearTimeout(loadTimer);
    }
  }

  /** Whether it is gone, or told to go. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Resolves when nothing says that the thread is stuck, or when it is gone for that. */
  get cleared(): Promise<void> | undefined {
    return this.#suspicion?.over.promise;
  }

  call(input: unknown, parameters: Record<string, Parameter>, signal: AbortSignal): Promise<string> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const giveUp = () => this.#abandon(id);
    this.#calls.set(id, { resolve, reject });
    signal.addEventListener("abort", giveUp, { once: true });
    this.#say({ type: "call", id, input, parameters });
    return promise.finally(() => signal.removeEventListener("abort", giveUp));
  }

  async end(cause: string): Promise<void> {
    if (cause !== "") this.#cause = cause;
    this.#isEnding = true;
    await this.#worker.terminate();
    await this.ended;
  }

  #say(message: ToHandler): void {
    this.#port.postMessage(message);
  }

  /** The caller no longer waits for the call. A thread that does not even hear of this is stuck in the call. */
  #abandon(id: number): void {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    call.reject(new PredictionError("time_limit", "The handler took too long"));
    this.#abandoned.add(id);
    if (this.#abandoned.size > maxAbandoned) {
      void this.end("The handler was replaced: too many of its calls never ended");
      return;
    }
    this.#say({ type: "abort", id });
    this.#say({ type: "ping" });
    this.#suspicion ??= {
      timer: setTimeout(() => void this.end("The handler was replaced: it was stuck"), pongWithinMs),
      over: Promise.withResolvers<void>(),
    };
  }

  #clear(): void {
    clearTimeout(this.#suspicion?.timer);
    this.#suspicion?.over.resolve();
    this.#suspicion = undefined;
  }

  /** What the thread said before its end may be told of after it. */
  #hearLastWords(): void {
    for (let left = receiveMessageOnPort(this.#port); left; left = receiveMessageOnPort(this.#port)) {
      this.#hear(left.message);
    }
  }

  #hear(message: FromHandler): void {
    if (message.type === "ready") this.#loaded.resolve();
    else if (message.type === "unfit") {
      this.#loaded.reject(new LoadError("InvalidBundle", `handler.mjs: ${bounded(message.detail)}`));
    } else if (message.type === "pong") this.#clear();
    else if (message.type === "infer") void this.#infer(message);
    else this.#settle(message);
  }

  #settle(message: Extract<FromHandler, { type: "answer" | "failure" }>): void {
    this.#abandoned.delete(message.id);
    const call = this.#calls.get(message.id);
    this.#calls.delete(message.id);
    this.#hasAnswered = true;
    if (message.type === "answer") call?.resolve(message.text);
    else call?.reject(new PredictionError("handler_failed", `The handler failed: ${bounded(message.message)}`));
  }

  async #infer({ id, alias, inputs }: Extract<FromHandler, { type: "infer" }>): Promise<void> {
    try {
      this.#say({ type: "inferred", id, outputs: await this.#parts.infer(alias, inputs) });
    } catch (error) {
      const message = error instanceof PredictionError ? error.message : "The model failed";
      this.#say({ type: "not_inferred", id, message });
    }
  }

  /** Buffers lie outside of the heap that is limited. */
  #watchMemory(): void {
    if (process.memoryUsage.rss() > this.#maxBytes) void this.end("The handler ran out of memory");
  }
}
