import { FairQueue } from "@aiplatform/worker-pool";
import { EngineClosedError, EngineQueueFullError } from "../errors.ts";
import type { EngineProcess } from "./engine-process.ts";

export interface EnginePoolOptions {
  readonly maxProcesses: number;
  /** Requests of one organisation that may wait. */
  readonly queueLength: number;
  /** Ms that a process without work is kept. */
  readonly idleMs: number;
  readonly start: (organisationId: string) => Promise<EngineProcess>;
}

/** `long`: a conversion. While it is at work, one process stays for those that are not, where there is more than one. */
export type JobKind = "short" | "long";

interface Job {
  readonly organisationId: string;
  readonly kind: JobKind;
  readonly signal: AbortSignal | undefined;
  readonly run: (process: EngineProcess) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

interface Idle {
  readonly process: EngineProcess;
  readonly timer: NodeJS.Timeout;
}

/** Processes for the requests of organisations, which take turns; each process is of one organisation. */
export class EnginePool implements AsyncDisposable {
  readonly #options: EnginePoolOptions;
  readonly #queues: Readonly<Record<JobKind, FairQueue<Job>>> = { short: new FairQueue(), long: new FairQueue() };
  /** The one that has waited longest first. */
  readonly #idle: Idle[] = [];
  readonly #ending = new Set<Promise<void>>();
  readonly #busyOf = new Map<string, number>();
  readonly #drained = Promise.withResolvers<void>();
  #busy = 0;
  #long = 0;
  #isClosing = false;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#queues.short.length + this.#queues.long.length;
  }

  get busy(): number {
    return this.#busy;
  }

  get idle(): number {
    return this.#idle.length;
  }

  /** Runs a job in a process of the organisation. @throws EngineQueueFullError, EngineClosedError, what the job throws */
  run<T>(
    { organisationId, kind, signal }: Pick<Job, "organisationId" | "kind" | "signal">,
    work: (process: EngineProcess) => Promise<T>,
  ): Promise<T> {
    if (this.#isClosing) return Promise.reject(new EngineClosedError());
    if (signal?.aborted) return Promise.reject(signal.reason);
    const queue = this.#queues[kind];
    if (queue.lengthOf(organisationId) >= this.#options.queueLength) return Promise.reject(new EngineQueueFullError());
    return new Promise((resolve, reject) => {
      const run = (process: EngineProcess) => work(process).then(resolve, reject);
      queue.push(organisationId, { organisationId, kind, signal, run, fail: reject });
      // Its place in the queue is given up when its turn comes.
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#dispatch();
    });
  }

  /** Finishes what was given, then ends the processes. Requests that come later are refused. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    this.#noteDrained();
    await this.#drained.promise;
    for (const { process, timer } of this.#idle.splice(0)) this.#end(process, timer);
    await Promise.all(this.#ending);
  }

  /** One process stays free for other organisations, where there is more than one. */
  #mayBeServed = (organisationId: string): boolean =>
    (this.#busyOf.get(organisationId) ?? 0) < Math.max(1, this.#options.maxProcesses - 1);

  #dispatch(): void {
    while (this.#busy < this.#options.maxProcesses) {
      const job = this.#next();
      if (!job) break;
      void this.#execute(job);
    }
    this.#noteDrained();
  }

  #next(): Job | undefined {
    const mayBeLong = this.#long < Math.max(1, this.#options.maxProcesses - 1);
    for (const queue of mayBeLong ? [this.#queues.short, this.#queues.long] : [this.#queues.short]) {
      for (let job = queue.shift(this.#mayBeServed); job; job = queue.shift(this.#mayBeServed))
        if (!job.signal?.aborted) return job;
    }
    return undefined;
  }

  async #execute(job: Job): Promise<void> {
    this.#count(job, 1);
    try {
      const process = await this.#processFor(job.organisationId);
      await job.run(process);
      this.#keep(process);
    } catch (error) {
      job.fail(error);
    } finally {
      this.#count(job, -1);
      this.#dispatch();
    }
  }

  async #processFor(organisationId: string): Promise<EngineProcess> {
    for (;;) {
      const index = this.#idle.findLastIndex(({ process }) => process.organisationId === organisationId);
      if (index < 0) break;
      const [found] = this.#idle.splice(index, 1);
      clearTimeout(found?.timer);
      if (found && !found.process.isGone) return found.process;
    }
    // The one for which there is room no longer: this job counts as busy already.
    const [oldest] = this.#idle.length + this.#busy > this.#options.maxProcesses ? this.#idle.splice(0, 1) : [];
    if (oldest) await this.#end(oldest.process, oldest.timer);
    return await this.#options.start(organisationId);
  }

  #keep(process: EngineProcess): void {
    if (process.isGone) return;
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((each) => each.process === process),
        1,
      );
      this.#end(process, timer);
    }, this.#options.idleMs);
    timer.unref();
    this.#idle.push({ process, timer });
  }

  #end(process: EngineProcess, timer: NodeJS.Timeout): Promise<void> {
    clearTimeout(timer);
    const ending = process[Symbol.asyncDispose]().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return ending;
  }

  #count({ organisationId, kind }: Job, by: 1 | -1): void {
    this.#busy += by;
    if (kind === "long") this.#long += by;
    const count = (this.#busyOf.get(organisationId) ?? 0) + by;
    if (count === 0) this.#busyOf.delete(organisationId);
    else this.#busyOf.set(organisationId, count);
  }

  #noteDrained(): void {
    if (this.#isClosing && this.waiting === 0 && this.#busy === 0) this.#drained.resolve();
  }
}
