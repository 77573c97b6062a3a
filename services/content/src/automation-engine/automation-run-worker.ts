import { setTimeout as delay } from "node:timers/promises";
import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import { inBackground } from "@aiplatform/telemetry";
import type { AutomationRun } from "./automation-run.ts";
import type { Lease } from "./automation-run-store.ts";
import { RunExecutor, type RunExecutorDependencies, type RunExecutorOptions, RunLostError } from "./run-executor.ts";

export interface AutomationRunWorkerDependencies extends RunExecutorDependencies, Omit<WorkerPlatform, "logger"> {
  newId: () => string;
}

export interface AutomationRunWorkerOptions extends RunExecutorOptions {
  /** Time without a renewal after which another process takes a run over, ms. */
  leaseMs: number;
  /** Runs that this process executes at once. */
  maxConcurrentRuns: number;
}

interface ActiveRun {
  organisationId: string;
  over: Promise<void>;
  cancelled: AbortController;
}

/** Between two rounds, ms. */
const maxPauseMs = 1_000;

/** Executes the runs that are due. It takes over those whose holders are gone, whichever process they were in. */
export class AutomationRunWorker implements AsyncDisposable {
  readonly #dependencies: AutomationRunWorkerDependencies;
  readonly #options: AutomationRunWorkerOptions;
  readonly #stop = new AbortController();
  readonly #active = new Map<string, ActiveRun>();
  readonly #worker: Worker;

  constructor(dependencies: AutomationRunWorkerDependencies, options: AutomationRunWorkerOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
    const pauseMs = Math.min(options.leaseMs / 3, maxPauseMs);
    this.#worker = startWorker(dependencies, { name: "automation-runs", pauseMs, round: () => this.#takeDue() });
  }

  /** How many runs this process executes now. */
  get activeRuns(): number {
    return this.#active.size;
  }

  /** Looks for due runs at once. */
  wake(): void {
    this.#worker.wake();
  }

  /** Ends what this process does for a run that was cancelled. */
  cancel(runId: string): void {
    this.#active.get(runId)?.cancelled.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker[Symbol.asyncDispose]();
    await Promise.all([...this.#active.values()].map(({ over }) => over));
  }

  #leaseEnd(): Date {
    return new Date(this.#dependencies.clock().getTime() + this.#options.leaseMs);
  }

  /** Answers whether it took any. */
  async #takeDue(): Promise<boolean> {
    const { automationRuns, clock, newId } = this.#dependencies;
    const room = this.#options.maxConcurrentRuns - this.#active.size;
    if (room <= 0) return false;
    let taken = 0;
    for (const due of await automationRuns.due(clock(), room, this.#busyOrganisations())) {
      const lease: Lease = { holder: newId(), until: this.#leaseEnd() };
      if (this.#stop.signal.aborted || this.#active.has(due.run.id)) continue;
      if (this.#busyOrganisations().includes(due.run.organisationId)) continue;
      if (!(await automationRuns.take(due, lease))) continue;
      taken += 1;
      this.#start(due.run, lease.holder);
    }
    return taken > 0;
  }

  /** Organisations that have their share of the runs at once: none leaves the others without any. */
  #busyOrganisations(): string[] {
    const share = Math.ceil(this.#options.maxConcurrentRuns / 2);
    const active = Map.groupBy(this.#active.values(), ({ organisationId }) => organisationId);
    return [...active].filter(([, runs]) => runs.length >= share).map(([organisationId]) => organisationId);
  }

  #start(run: AutomationRun, holder: string): void {
    const cancelled = new AbortController();
    const executed = () =>
      this.#execute(run, { holder, cancelled }).catch((error: unknown) => {
        if (error instanceof RunLostError) return;
        // The lease runs out, and the process that takes the run over goes on.
        this.#dependencies.logger.warn({ err: error, run_id: run.id }, "a run of an automation was interrupted");
      });
    const over = inBackground(this.#dependencies.tracer, "automation run", executed).finally(() => {
      this.#active.delete(run.id);
      this.wake();
    });
    this.#active.set(run.id, { organisationId: run.organisationId, over, cancelled });
  }

  async #execute(
    run: AutomationRun,
    { holder, cancelled }: { holder: string; cancelled: AbortController },
  ): Promise<void> {
    const { automationRuns, clock } = this.#dependencies;
    const over = new AbortController();
    const renewing = this.#renew(run, { holder, over: over.signal, cancelled });
    try {
      const signal = AbortSignal.any([cancelled.signal, this.#stop.signal]);
      await new RunExecutor(this.#dependencies, run, { ...this.#options, holder, signal }).execute();
    } finally {
      over.abort();
      await renewing;
    }
    // Another process may go on at once.
    if (this.#stop.signal.aborted) await automationRuns.release(run, holder, { dueAt: clock() });
  }

  /** Renews the lease until the execution is over; ends it when the run has ended, or another has taken it over. */
  async #renew(
    run: AutomationRun,
    { holder, over, cancelled }: { holder: string; over: AbortSignal; cancelled: AbortController },
  ): Promise<void> {
    while (!over.aborted) {
      await delay(this.#options.leaseMs / 3, undefined, { signal: over }).catch(() => undefined);
      if (over.aborted) return;
      const isOurs = await this.#dependencies.automationRuns
        .renew(run, { holder, until: this.#leaseEnd() })
        // Once the database is back it is either still ours or another's.
        .catch(() => true);
      if (!isOurs) cancelled.abort();
    }
  }
}
