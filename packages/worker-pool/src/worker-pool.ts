import { currentCall, type ErrorClass, type Logger } from "@aiplatform/service-host";
import { createInstruments, type Instruments } from "@aiplatform/telemetry";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Meter } from "@opentelemetry/api";
import { PoolClosedError, QueueFullError, type TaskLimit, TaskLimitError } from "./errors.ts";
import { FairQueue } from "./fair-queue.ts";
import { workerPoolMetrics } from "./metrics.ts";
import type { WorkerPoolConfig } from "./settings.ts";
import type { TaskTable } from "./thread/serve-tasks.ts";
import { WorkerThread } from "./worker-thread.ts";

/** What holds of one task. */
export interface TaskRule {
  /** Processor time, ms. */
  readonly limitMs: number;
  /** What callers are told of a task that went over a limit. */
  readonly exceeded: (limit: TaskLimit) => Error;
}

export interface WorkerPoolOptions<T extends TaskTable> {
  readonly config: WorkerPoolConfig;
  /** Module of the threads, which calls `serveTasks` with the table of tasks. */
  readonly program: URL;
  readonly rules: { readonly [N in keyof T]: TaskRule };
  /** Classes of errors that tasks throw for callers: they keep class and members, nothing else of them. */
  readonly errors: readonly ErrorClass[];
  readonly logger: Pick<Logger, "warn">;
  readonly meter?: Meter;
}

export interface TaskOptions {
  /** Work that bounds itself, such as a sweep with a fixed number of items at once: it waits and is never refused. */
  readonly isBackground?: boolean;
}

/** Runs tasks elsewhere than on the event loop. What operations need of a pool. */
export interface TaskRunner<T extends TaskTable> {
  /**
   * Runs a task for an organisation.
   * @throws QueueFullError, PoolClosedError, what the task's rule says of a limit, and what the task throws
   */
  run<N extends keyof T & string>(
    organisationId: string,
    task: N,
    input: Parameters<T[N]>[0],
    options?: TaskOptions,
  ): Promise<Awaited<ReturnType<T[N]>>>;
}

interface Job {
  readonly organisationId: string;
  readonly task: string;
  readonly input: unknown;
  /** Milliseconds since the epoch after which its caller has left. */
  readonly deadline: number | undefined;
  readonly queuedAt: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Threads for heavy computation on what callers send: fair between organisations, bounded in time, memory and queue. */
export class WorkerPool<T extends TaskTable> implements TaskRunner<T>, AsyncDisposable {
  readonly #options: WorkerPoolOptions<T>;
  readonly #queue = new FairQueue<Job>();
  readonly #threads = new Set<WorkerThread>();
  readonly #idle: WorkerThread[] = [];
  readonly #busyOf = new Map<string, number>();
  readonly #metrics: Instruments<typeof workerPoolMetrics>;
  readonly #drained = Promise.withResolvers<void>();
  #busy = 0;
  #isClosing = false;

  constructor(options: WorkerPoolOptions<T>) {
    this.#options = options;
    this.#metrics = createInstruments(options.meter, workerPoolMetrics);
    this.#metrics.worker_pool_queue_length.observe((report) => report(this.#queue.length));
    this.#metrics.worker_pool_threads.observe((report) => {
      report(this.#busy, { state: "busy" });
      report(this.#idle.length, { state: "idle" });
      report(this.#starting, { state: "starting" });
    });
  }

  run<N extends keyof T & string>(
    organisationId: string,
    task: N,
    input: Parameters<T[N]>[0],
    { isBackground = false }: TaskOptions = {},
  ): Promise<Awaited<ReturnType<T[N]>>> {
    if (this.#isClosing) return Promise.reject(new PoolClosedError());
    if (!isBackground && this.#queue.lengthOf(organisationId) >= this.#options.config.WORKER_QUEUE_LENGTH) {
      this.#metrics.worker_tasks_refused_total.add(1);
      return Promise.reject(new QueueFullError());
    }
    return new Promise((resolve, reject) => {
      const deadline = currentCall()?.deadline;
      const job = { organisationId, task, input, deadline, queuedAt: performance.now(), resolve, reject };
      this.#queue.push(organisationId, job);
      this.#dispatch();
    });
  }

  /** Finishes what was given, then ends the threads. Tasks that come later are refused. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#noteDrained();
    await this.#drained.promise;
    await Promise.all([...this.#threads].map((thread) => thread.end(new PoolClosedError())));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #starting(): number {
    return this.#threads.size - this.#idle.length - this.#busy;
  }

  /** One thread stays free for others, where there is more than one. */
  #mayBeServed = (organisationId: string): boolean => {
    const max = Math.max(1, this.#options.config.WORKER_THREADS - 1);
    return (this.#busyOf.get(organisationId) ?? 0) < max;
  };

  #dispatch(): void {
    for (let thread = this.#idle.pop(); thread; thread = this.#idle.pop()) {
      const job = this.#next();
      if (!job) {
        this.#idle.push(thread);
        return;
      }
      void this.#execute(thread, job);
    }
    if (this.#threads.size < this.#options.config.WORKER_THREADS && this.#queue.length > this.#starting)
      void this.#startThread();
  }

  /** The next task whose caller still waits. */
  #next(): Job | undefined {
    for (let job = this.#queue.shift(this.#mayBeServed); job; job = this.#queue.shift(this.#mayBeServed)) {
      if (job.deadline === undefined || job.deadline > Date.now()) return job;
      job.reject(new ConnectError("the operation timed out", Code.DeadlineExceeded));
    }
    this.#noteDrained();
    return undefined;
  }

  async #startThread(): Promise<void> {
    const { program, config, errors } = this.#options;
    const thread = new WorkerThread({ program, errors, memoryMb: config.WORKER_MEMORY_MB });
    this.#threads.add(thread);
    void thread.ended.then(() => this.#remove(thread));
    try {
      await thread.ready;
      this.#idle.push(thread);
    } catch (error) {
      // Starting is tried once for each task, so that a program that cannot be loaded is not loaded for ever.
      this.#queue.shift()?.reject(error);
    }
    this.#dispatch();
  }

  #remove(thread: WorkerThread): void {
    this.#threads.delete(thread);
    const index = this.#idle.indexOf(thread);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#dispatch();
  }

  async #execute(thread: WorkerThread, { organisationId, task, input, queuedAt, resolve, reject }: Job): Promise<void> {
    const { limitMs, exceeded } = this.#ruleOf(task);
    const beganAt = performance.now();
    this.#metrics.worker_task_wait_seconds.record((beganAt - queuedAt) / 1_000, { task });
    this.#count(organisationId, 1);
    let isGone = false;
    let outcome: "done" | "failed" | `${TaskLimit}_limit` = "done";
    try {
      resolve((await thread.run({ task, input }, limitMs)) as never);
    } catch (error) {
      isGone = error instanceof TaskLimitError;
      outcome = error instanceof TaskLimitError ? `${error.limit}_limit` : "failed";
      reject(error instanceof TaskLimitError ? exceeded(error.limit) : error);
    }
    this.#count(organisationId, -1);
    const seconds = (performance.now() - beganAt) / 1_000;
    this.#metrics.worker_task_duration_seconds.record(seconds, { task, outcome });
    if (isGone) this.#options.logger.warn({ organisation_id: organisationId, task, outcome }, "a task was ended");
    else if (this.#threads.has(thread)) this.#idle.push(thread);
    this.#noteDrained();
    this.#dispatch();
  }

  #ruleOf(task: string): TaskRule {
    const rule = this.#options.rules[task];
    if (!rule) throw new Error(`the task ${task} has no rule`);
    return rule;
  }

  #count(organisationId: string, by: 1 | -1): void {
    this.#busy += by;
    const count = (this.#busyOf.get(organisationId) ?? 0) + by;
    if (count === 0) this.#busyOf.delete(organisationId);
    else this.#busyOf.set(organisationId, count);
  }

  #noteDrained(): void {
    if (this.#isClosing && this.#queue.length === 0 && this.#busy === 0) this.#drained.resolve();
  }
}
