import { Worker } from "node:worker_threads";
import type { ErrorClass } from "@aiplatform/service-host";
import { TaskLimitError } from "./errors.ts";
import type { SentError, TaskMessage, ThreadData, ThreadMessage } from "./thread/messages.ts";

/** How a thread is made. */
export interface ThreadOptions {
  /** Module that calls `serveTasks`. */
  readonly program: URL;
  /** JavaScript heap, MiB. */
  readonly memoryMb: number;
  /** Classes of errors that tasks throw for callers: they keep class and members. */
  readonly errors: readonly ErrorClass[];
}

/** A limit is of processor time, which other threads cannot use up; a task that waits ends at this many times its limit. */
const wallFactor = 10;
const youngMb = 16;
const stackMb = 4;

interface Run {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly limitMs: number;
  readonly beganAt: number;
}

export class WorkerThread {
  readonly #worker: Worker;
  readonly #errors: ReadonlyMap<string, ErrorClass>;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  /** Processor time of the thread when its last task ended. */
  #cpuMs = 0;
  #run: Run | undefined;
  #timer: NodeJS.Timeout | undefined;
  #cause: Error | undefined;

  constructor({ program, memoryMb, errors }: ThreadOptions) {
    this.#errors = new Map(errors.map((each) => [each.name, each]));
    const workerData: ThreadData = { errors: [...this.#errors.keys()] };
    this.#worker = new Worker(program, {
      workerData,
      // Settings of the service have secrets in them, and tasks need none.
      env: {},
      argv: [],
      name: "worker-pool",
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb, stackSizeMb: stackMb },
    });
    this.#worker.on("message", (message: ThreadMessage) => this.#hear(message));
    this.#worker.on("error", (error: NodeJS.ErrnoException) => {
      this.#cause ??= error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new TaskLimitError("memory") : error;
    });
    this.#worker.once("exit", () => this.#exited());
    // A thread may end before anything waits for it: an unhandled rejection would end the process.
    this.#ready.promise.catch(() => {});
  }

  /** Resolves when the thread can take a task. @throws Error when it ended before that */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when the thread is gone. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Runs one task. @throws what it threw, and TaskLimitError once the thread is ended for it */
  run(message: TaskMessage, limitMs: number): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    try {
      this.#worker.postMessage(message);
    } catch (error) {
      return Promise.reject(error);
    }
    this.#run = { resolve, reject, limitMs, beganAt: performance.now() };
    this.#timer = setTimeout(() => void this.#look(), limitMs);
    return promise;
  }

  /** Ends the thread, whatever it does. */
  async end(cause: Error): Promise<void> {
    this.#cause ??= cause;
    await this.#worker.terminate();
    await this.ended;
  }

  #hear(message: ThreadMessage): void {
    this.#cpuMs = message.cpuMs;
    if (message.type === "ready") {
      this.#ready.resolve();
      return;
    }
    const run = this.#run;
    this.#forget();
    if (message.type === "done") run?.resolve(message.value);
    else run?.reject(this.#revived(message.error));
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#run = undefined;
  }

  /** Ends the thread when its task is over the limit, or looks again when it can be at the earliest. */
  async #look(): Promise<void> {
    const run = this.#run;
    if (!run) return;
    const wallLeftMs = run.beganAt + run.limitMs * wallFactor - performance.now();
    const usage = await Promise.race([
      this.#worker.cpuUsage().catch(() => undefined),
      new Promise<undefined>((resolve) => setTimeout(resolve, Math.max(0, wallLeftMs), undefined).unref()),
    ]);
    if (this.#run !== run) return;
    const usedMs = usage ? (usage.user + usage.system) / 1_000 - this.#cpuMs : run.limitMs;
    const leftMs = Math.min(run.limitMs - usedMs, wallLeftMs);
    if (leftMs <= 0) void this.end(new TaskLimitError("time"));
    else this.#timer = setTimeout(() => void this.#look(), Math.max(1, leftMs));
  }

  #exited(): void {
    const cause = this.#cause ?? new Error("a worker thread ended without a reason");
    const run = this.#run;
    this.#forget();
    this.#ready.reject(cause);
    this.#ended.resolve();
    run?.reject(cause);
  }

  #revived({ name, message, stack, own }: SentError): Error {
    const error = new Error(message);
    const known = this.#errors.get(name);
    if (known) Object.setPrototypeOf(error, known.prototype);
    return Object.assign(error, { name, ...own, ...(stack === undefined ? {} : { stack }) });
  }
}
