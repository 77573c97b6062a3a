import { setTimeout as delay } from "node:timers/promises";
import type { Platform } from "@aiplatform/service-host";
import { startWorker, type Worker } from "@aiplatform/service-kit";
import { inBackground } from "@aiplatform/telemetry";
import type { AutomationRun } from "./automation-run.ts";
import type { Lease } from "./automation-run-store.ts";
import { RunLostError, RunWalker, type RunWalkerParts } from "./run-walker.ts";

/** What looking after runs needs. */
export interface AutomationRunsParts extends RunWalkerParts {
  /** How long the holder of a run is believed to be there without a sign of life, ms. */
  leaseMs: number;
  /** Runs that this process carries out at once. */
  mostAtOnce: number;
  /** Each run is a trace of its own. */
  tracer: Platform["tracer"];
  meter: Platform["meter"];
}

interface RunningRun {
  organisationId: string;
  over: Promise<void>;
  giveUp: AbortController;
}

/** Longest between two looks at what is due, ms. */
const longestPauseMs = 1_000;

/** The runs that this process carries out. It takes over those whose holders are gone, whichever process they were in. */
export class AutomationRuns implements AsyncDisposable {
  readonly #parts: AutomationRunsParts;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, RunningRun>();
  readonly #worker: Worker;

  constructor(parts: AutomationRunsParts) {
    this.#parts = parts;
    const pauseMs = Math.min(parts.leaseMs / 3, longestPauseMs);
    this.#worker = startWorker(parts, { name: "automation-runs", pauseMs, round: () => this.#takeDue() });
  }

  /** Runs that this process carries out now. */
  get underWay(): number {
    return this.#running.size;
  }

  /** Something is due: it is looked for at once. */
  wake(): void {
    this.#worker.wake();
  }

  /** Ends what this process does for a run that was given up. */
  giveUp(runId: string): void {
    this.#running.get(runId)?.giveUp.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker[Symbol.asyncDispose]();
    await Promise.all([...this.#running.values()].map(({ over }) => over));
  }

  #until(): Date {
    const { dependencies, leaseMs } = this.#parts;
    return new Date(dependencies.clock().getTime() + leaseMs);
  }

  /** Answers whether it took any. */
  async #takeDue(): Promise<boolean> {
    const { dependencies, mostAtOnce } = this.#parts;
    const { automationRuns, clock, newId } = dependencies;
    const room = mostAtOnce - this.#running.size;
    if (room <= 0) return false;
    let taken = 0;
    for (const due of await automationRuns.due(clock(), room, this.#busyOrganisations())) {
      const lease: Lease = { holder: newId(), until: this.#until() };
      if (this.#stop.signal.aborted || this.#running.has(due.run.id)) continue;
      if (this.#busyOrganisations().includes(due.run.organisationId)) continue;
      if (!(await automationRuns.take(due, lease))) continue;
      taken += 1;
      this.#carryOut(due.run, lease.holder);
    }
    return taken > 0;
  }

  /** Organisations that have their share of what is carried out at once: none leaves the others without any. */
  #busyOrganisations(): string[] {
    const share = Math.ceil(this.#parts.mostAtOnce / 2);
    const running = Map.groupBy(this.#running.values(), ({ organisationId }) => organisationId);
    return [...running].filter(([, runs]) => runs.length >= share).map(([organisationId]) => organisationId);
  }

  #carryOut(run: AutomationRun, holder: string): void {
    const giveUp = new AbortController();
    const walked = () =>
      this.#walk(run, { holder, giveUp }).catch((error: unknown) => {
        if (error instanceof RunLostError) return;
        // The lease runs out, and the process that takes the run over goes on.
        this.#parts.logger.warn({ err: error, run_id: run.id }, "a run of an automation was interrupted");
      });
    const over = inBackground(this.#parts.tracer, "automation run", walked).finally(() => {
      this.#running.delete(run.id);
      this.wake();
    });
    this.#running.set(run.id, { organisationId: run.organisationId, over, giveUp });
  }

  async #walk(run: AutomationRun, { holder, giveUp }: { holder: string; giveUp: AbortController }): Promise<void> {
    const { automationRuns, clock } = this.#parts.dependencies;
    const over = new AbortController();
    const renewing = this.#renew(run, { holder, over: over.signal, giveUp });
    try {
      const signal = AbortSignal.any([giveUp.signal, this.#stop.signal]);
      await new RunWalker(this.#parts, run, { holder, signal }).walk();
    } finally {
      over.abort();
      await renewing;
    }
    // Another process may go on at once.
    if (this.#stop.signal.aborted) await automationRuns.release(run, holder, { dueAt: clock() });
  }

  /** Gives signs of life until the walk is over; ends it when the run has ended, or another has taken it over. */
  async #renew(
    run: AutomationRun,
    { holder, over, giveUp }: { holder: string; over: AbortSignal; giveUp: AbortController },
  ): Promise<void> {
    const { dependencies, leaseMs } = this.#parts;
    while (!over.aborted) {
      await delay(leaseMs / 3, undefined, { signal: over }).catch(() => undefined);
      if (over.aborted) return;
      const isOurs = await dependencies.automationRuns
        .renew(run, { holder, until: this.#until() })
        // Once the database is back it is either still ours or another's.
        .catch(() => true);
      if (!isOurs) giveUp.abort();
    }
  }
}
