import { setTimeout as delay } from "node:timers/promises";
import { type DomainPlatform, startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import { type IngestDependencies, ingestArtifact, pauseAfter, resolutionOf } from "./ingest-artifact.ts";
import { modelVersionResolved } from "./model-events.ts";
import type { ModelStore } from "./model-store.ts";
import type { PendingVersion, Resolution } from "./model-version.ts";
import type { ModelVersionStore } from "./model-version-store.ts";

interface Dependencies
  extends IngestDependencies,
    WorkerPlatform,
    Pick<DomainPlatform, "outbox" | "transaction" | "clock"> {
  models: ModelStore;
  modelVersions: ModelVersionStore;
  /** How long no other process fetches what this process fetches, ms; renewed while it does. Default 10 s. */
  leaseMs?: number;
}

const pauseMs = 1_000;
/** Artifacts that are fetched at once. */
const concurrency = 4;

/**
 * Fetches the artifacts of pending versions, whichever process registered them. A process that dies leaves its versions to the
 * others: fetching again what is there already costs one read, and a version is resolved once.
 */
export class ArtifactIngestionWorker implements AsyncDisposable {
  readonly #dependencies: Dependencies;
  readonly #leaseMs: number;
  readonly #stop = new AbortController();
  readonly #worker: Worker;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#leaseMs = dependencies.leaseMs ?? 10_000;
    this.#worker = startWorker(dependencies, { name: "artifact-ingestion", pauseMs, round: () => this.#fetchDue() });
  }

  /** There may be something to fetch. */
  readonly signal = (): void => this.#worker.wake();

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker[Symbol.asyncDispose]();
  }

  async #fetchDue(): Promise<void> {
    const { modelVersions, clock } = this.#dependencies;
    while (!this.#stop.signal.aborted) {
      const due = await modelVersions.due(clock(), concurrency);
      const outcomes = await Promise.allSettled(due.map((version) => this.#fetch(version)));
      const failure = outcomes.find((outcome) => outcome.status === "rejected");
      if (failure) throw failure.reason;
      if (!outcomes.some((outcome) => outcome.status === "fulfilled" && outcome.value)) return;
    }
  }

  /** Answers whether this process claimed it. */
  async #fetch(version: PendingVersion): Promise<boolean> {
    const claimed = await this.#postpone(version, this.#leaseMs);
    if (!claimed) return false;
    const attempts = version.ingestion.attempts + 1;
    const lease = this.#renew(claimed);
    const resolution = await this.#attempt(version, attempts);
    const renewed = await lease.end();
    if (resolution) await this.#resolve(version, resolution);
    else {
      const notBefore = new Date(this.#dependencies.clock().getTime() + pauseAfter(attempts));
      await this.#dependencies.modelVersions.postpone(renewed, { notBefore, attempts });
    }
    return true;
  }

  async #attempt(version: PendingVersion, attempts: number): Promise<Resolution | undefined> {
    try {
      return { status: "ready", sizeBytes: await ingestArtifact(this.#dependencies, version) };
    } catch (error) {
      const resolution = resolutionOf(error, attempts);
      const facts = { err: error, model_version_id: version.id, attempts, final: resolution !== undefined };
      this.#dependencies.logger.warn(facts, "the artifact of a model version was not taken over");
      return resolution;
    }
  }

  async #postpone(version: PendingVersion, forMs: number): Promise<PendingVersion | undefined> {
    const { modelVersions, clock } = this.#dependencies;
    const { attempts } = version.ingestion;
    const notBefore = new Date(clock().getTime() + forMs);
    const isOurs = await modelVersions.postpone(version, { notBefore, attempts });
    return isOurs ? { ...version, ingestion: { ...version.ingestion, notBefore } } : undefined;
  }

  /** Keeps others away until it is ended, which answers the version as it was renewed last. */
  #renew(claimed: PendingVersion): { end(): Promise<PendingVersion> } {
    const over = new AbortController();
    const renewing = (async () => {
      let current = claimed;
      while (!over.signal.aborted) {
        await delay(this.#leaseMs / 3, undefined, { signal: over.signal }).catch(() => undefined);
        if (over.signal.aborted) break;
        // One that is lost is fetched twice, which costs time and does no harm.
        current = (await this.#postpone(current, this.#leaseMs).catch(() => undefined)) ?? current;
      }
      return current;
    })();
    return {
      end: () => {
        over.abort();
        return renewing;
      },
    };
  }

  #resolve(version: PendingVersion, resolution: Resolution): Promise<void> {
    const { models, modelVersions, outbox, transaction, clock } = this.#dependencies;
    const { organisationId, id } = version;
    return transaction(async (session) => {
      if (!(await modelVersions.resolve(organisationId, id, resolution, session))) return;
      const time = clock();
      if (resolution.status === "ready") await models.noteReady(organisationId, { ...version, time }, session);
      await outbox.stage(session, modelVersionResolved(version, resolution, time));
    });
  }
}
