import { randomUUID } from "node:crypto";
import { type Backoff, backoffMs, pause } from "@aiplatform/backoff";
import {
  type Claim,
  type HeldLease,
  LeaseLostError,
  type Leases,
  type LeaseTerm,
  type TenantDocument,
} from "@aiplatform/document-store";
import { createInstruments, inBackground } from "@aiplatform/telemetry";
import { startWorker, type Worker, type WorkerPlatform } from "./worker.ts";
import { claimingWorkerMetrics } from "./worker-metrics.ts";

/** Work that stands in documents, of which each is one process's at a time. */
export interface ClaimingWorkerOptions<T> {
  /** The `worker` of its metrics, log lines and traces. */
  readonly name: string;
  readonly leases: Pick<Leases<TenantDocument, T>, "claim" | "renew" | "release" | "dueInMs" | "knowTimes">;
  /** Time without a renewal after which another process may claim the work, ms. */
  readonly leaseMs: number;
  /** Work that is claimed for this process at once. An organisation gets no more of it than it leaves to others. */
  readonly concurrency: number;
  /**
   * Does the work, writes under the fence of `holder`, and ends or releases it in its own writes. What it leaves as it was is
   * due when the lease expires. When it throws, the work is due after a pause that grows with each failure. `signal` aborts
   * when the lease is lost, the work is cancelled or the worker ends.
   */
  readonly run: (claim: Claim<T>, signal: AbortSignal) => Promise<void>;
  /** Pauses after failures in a row. Default 1 s to 5 min. */
  readonly backoff?: Backoff;
  /** Organisations whose work waits: none of it is claimed, and what is under way is aborted. Asked in each round. Default: none. */
  readonly waitingOrganisations?: () => Promise<ReadonlySet<string>>;
  /**
   * Longest pause between two looks while nothing is due, ms: how late work may begin that another process has made due, or, unless
   * the leases know times, that falls due by time. Default 5,000, or half of the lease if that is less.
   */
  readonly maxPauseMs?: number;
}

interface ActiveWork {
  readonly lease: HeldLease;
  readonly cancelled: AbortController;
  readonly over: Promise<void>;
}

type Outcome = "done" | "failed" | "lost" | "released";

/** Between two looks for due work, ms, and while nothing is due; less where leases are short. */
const lookEveryMs = 1_000;
const idleLookEveryMs = 5_000;
/** Renewals in the time of a lease. */
const renewals = 3;
const noOrganisations: ReadonlySet<string> = new Set();
/** Why work is aborted that a write has ended: its own, or that of a caller who cancels it. */
const workEnded = new Error("the work has ended");
const defaultBackoff: Backoff = { minMs: 1_000, maxMs: 300_000 };

/**
 * Claims due work of all organisations, which take turns, and runs it under leases that it renews. Work whose process is gone is
 * claimed when its lease has expired. Disposing aborts what runs, waits for it, and releases its leases.
 */
export class ClaimingWorker<T> implements AsyncDisposable {
  readonly #platform: WorkerPlatform;
  readonly #options: ClaimingWorkerOptions<T>;
  readonly #stop = new AbortController();
  /** By holder. */
  readonly #active = new Map<string, ActiveWork>();
  readonly #worker: Worker;
  readonly #ended: { add(by: number, labels: { worker: string; outcome: Outcome }): void };
  readonly #stopObserving: () => void;

  constructor(platform: WorkerPlatform, options: ClaimingWorkerOptions<T>) {
    this.#platform = platform;
    this.#options = options;
    const { name: worker, leaseMs, maxPauseMs = Math.min(leaseMs / 2, idleLookEveryMs) } = options;
    const { worker_items_total, worker_items_active } = createInstruments(platform.meter, claimingWorkerMetrics);
    this.#ended = worker_items_total;
    this.#stopObserving = worker_items_active.observe((report) => report(this.#active.size, { worker }));
    const pauses = {
      pauseMs: Math.min(leaseMs / renewals, lookEveryMs),
      maxPauseMs,
    };
    this.#worker = startWorker(platform, { name: worker, ...pauses, round: () => this.#claimDue() });
  }

  /** Looks for due work at once. */
  wake(): void {
    this.#worker.wake();
  }

  /** Looks for due work in that time at the latest: some will be due then. */
  wakeWithin(ms: number): void {
    this.#worker.wakeWithin(ms);
  }

  /** Aborts what this process does for a document. */
  cancel(id: string): void {
    for (const { lease, cancelled } of this.#active.values()) if (lease.id === id) cancelled.abort();
  }

  /** A holder of its own for work that is claimed in a write of the caller's. */
  newTerm(): LeaseTerm {
    return { holder: randomUUID(), leaseMs: this.#options.leaseMs };
  }

  /**
   * Runs work whose lease the caller has taken; it is renewed, counted and released as if it were claimed here, but never waits for
   * room. Resolves at its end, whatever that is; never rejects.
   */
  adopt(lease: HeldLease, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const cancelled = new AbortController();
    const { name } = this.#options;
    const over = inBackground(this.#platform.tracer, name, () => this.#run(lease, run, cancelled)).finally(() => {
      this.#active.delete(lease.holder);
      this.wake();
    });
    this.#active.set(lease.holder, { lease, cancelled, over });
    return over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker[Symbol.asyncDispose]();
    await Promise.all([...this.#active.values()].map(({ over }) => over));
    this.#stopObserving();
  }

  /** One query while there is nothing to do: who waits is asked where there is something to claim, or to abort. */
  async #claimDue(): Promise<void> {
    if (this.#active.size === 0 && !(await this.#isDue())) return;
    const { leases, concurrency, run, waitingOrganisations } = this.#options;
    const waiting = (await waitingOrganisations?.()) ?? noOrganisations;
    for (const { lease, cancelled } of this.#active.values()) {
      if (waiting.has(lease.organisationId)) cancelled.abort();
    }
    while (!this.#stop.signal.aborted && this.#active.size < concurrency) {
      const exceptIds = [...this.#active.values()].map(({ lease }) => lease.id);
      const except = { exceptOrganisations: [...waiting, ...this.#busyOrganisations()], exceptIds };
      const claim = await leases.claim({ ...this.newTerm(), ...except });
      if (!claim) {
        // What was due is claimed, or waits, or is left until its organisation has room: the next is asked for without it.
        if (leases.knowTimes) await this.#isDue(except.exceptOrganisations);
        return;
      }
      void this.adopt(claim, (signal) => run(claim, signal));
    }
  }

  /** Whether something is due. Where it is known that something will be, the next look comes in time for it. */
  async #isDue(exceptOrganisations: readonly string[] = []): Promise<boolean> {
    const dueInMs = await this.#options.leases.dueInMs({ exceptOrganisations });
    if (dueInMs !== undefined && dueInMs > 0) this.#worker.wakeWithin(dueInMs);
    return dueInMs === 0;
  }

  /** Organisations that have as much room as is left for all others. */
  #busyOrganisations(): string[] {
    const room = this.#options.concurrency - this.#active.size;
    const byOrganisation = Map.groupBy(this.#active.values(), ({ lease }) => lease.organisationId);
    return [...byOrganisation].filter(([, active]) => active.length >= room).map(([organisationId]) => organisationId);
  }

  async #run(lease: HeldLease, run: (signal: AbortSignal) => Promise<void>, cancelled: AbortController): Promise<void> {
    const over = new AbortController();
    const began = performance.now();
    const renewing = this.#renew(lease, { over: over.signal, lost: cancelled });
    let { failures } = lease;
    const outcome = await run(AbortSignal.any([cancelled.signal, this.#stop.signal])).then(
      () => this.#outcome(cancelled.signal),
      (error: unknown) => {
        // What went well for as long as a lease fails for the first time.
        if (performance.now() - began > this.#options.leaseMs) failures = 0;
        return this.#failed({ ...lease, failures }, error, cancelled.signal);
      },
    );
    over.abort();
    await renewing;
    this.#ended.add(1, { worker: this.#options.name, outcome });
    // Another process may go on at once.
    if (outcome === "released") await this.#release(lease);
    if (outcome === "failed") await this.#backOff({ ...lease, failures });
  }

  #outcome(cancelled: AbortSignal): Outcome {
    // A renewal may find the work ended while the write that ended it has not returned yet.
    if (cancelled.aborted) return cancelled.reason === workEnded ? "done" : "lost";
    return this.#stop.signal.aborted ? "released" : "done";
  }

  #failed({ organisationId, id, failures }: HeldLease, error: unknown, cancelled: AbortSignal): Outcome {
    const { name: worker } = this.#options;
    if (error instanceof LeaseLostError || cancelled.aborted) return "lost";
    const outcome = this.#outcome(cancelled);
    if (outcome !== "done") return outcome;
    const facts = { worker, organisation_id: organisationId, id, attempt: failures + 1 };
    this.#platform.logger.warn({ err: error, ...facts }, "work failed, retrying after a pause");
    return "failed";
  }

  async #backOff(lease: HeldLease): Promise<void> {
    const failures = lease.failures + 1;
    await this.#release(lease, { failures, afterMs: backoffMs(this.#options.backoff ?? defaultBackoff, failures) });
  }

  async #release(lease: HeldLease, release?: { failures: number; afterMs: number }): Promise<void> {
    const { leases, name: worker } = this.#options;
    await leases.release(lease, release).catch((error: unknown) => {
      this.#platform.logger.warn(
        { err: error, worker, id: lease.id },
        "a lease was not released; it expires by itself",
      );
    });
  }

  /** Renews the lease until the work is over; aborts the work when the lease is another's, or the work has ended. */
  async #renew(lease: HeldLease, { over, lost }: { over: AbortSignal; lost: AbortController }): Promise<void> {
    const { leases, leaseMs } = this.#options;
    while (!over.aborted) {
      await pause(leaseMs / renewals, over);
      if (over.aborted) return;
      // A renewal that failed says nothing: once the database is back, the lease is ours or another's.
      const state = await leases.renew(lease, leaseMs).catch(() => "held" as const);
      if (state !== "held") lost.abort(state === "ended" ? workEnded : undefined);
    }
  }
}
