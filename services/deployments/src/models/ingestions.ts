import { setTimeout as delay } from "node:timers/promises";
import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { type IngestParts, ingestArtifact, pauseAfter, resolutionOf } from "./ingest-artifact.ts";
import { modelVersionResolved } from "./model-events.ts";
import type { PendingVersion, Resolution } from "./model-version.ts";

/** What fetching artifacts of versions needs. */
export interface IngestionParts
  extends IngestParts,
    WorkerPlatform,
    Pick<DeploymentsDependencies, "models" | "modelVersions" | "outbox" | "transaction" | "clock"> {
  /** How long no other process fetches what this process fetches, ms; renewed while it does. Default 10 s. */
  leaseMs?: number;
}

const pauseMs = 1_000;
/** Artifacts that are fetched at once. */
const atOnce = 4;

/**
 * Fetches the artifacts of pending versions, whichever process registered them. A process that dies leaves its versions to the
 * others: fetching again what is there already is one look, and a version is resolved once.
 */
export class Ingestions implements AsyncDisposable {
  readonly #parts: IngestionParts;
  readonly #leaseMs: number;
  readonly #stop = new AbortController();
  readonly #worker: Worker;

  constructor(parts: IngestionParts) {
    this.#parts = parts;
    this.#leaseMs = parts.leaseMs ?? 10_000;
    this.#worker = startWorker(parts, { name: "artifact-ingestion", pauseMs, round: () => this.#fetchDue() });
  }

  /** There may be something to fetch. */
  readonly wake = (): void => this.#worker.wake();

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#worker[Symbol.asyncDispose]();
  }

  async #fetchDue(): Promise<void> {
    const { modelVersions, clock } = this.#parts;
    while (!this.#stop.signal.aborted) {
      const due = await modelVersions.due(clock(), atOnce);
      const outcomes = await Promise.allSettled(due.map((version) => this.#fetch(version)));
      const failure = outcomes.find((outcome) => outcome.status === "rejected");
      if (failure) throw failure.reason;
      if (!outcomes.some((outcome) => outcome.status === "fulfilled" && outcome.value)) return;
    }
  }

  /** Answers whether this process had a go at it. */
  async #fetch(version: PendingVersion): Promise<boolean> {
    const claimed = await this.#postpone(version, this.#leaseMs);
    if (!claimed) return false;
    const attempts = version.ingestion.attempts + 1;
    const lease = this.#renew(claimed);
    const resolution = await this.#attempt(version, attempts);
    const renewed = await lease.end();
    if (resolution) await this.#resolve(version, resolution);
    else {
      const notBefore = new Date(this.#parts.clock().getTime() + pauseAfter(attempts));
      await this.#parts.modelVersions.postpone(renewed, { notBefore, attempts });
    }
    return true;
  }

  async #attempt(version: PendingVersion, attempts: number): Promise<Resolution | undefined> {
    try {
      return { status: "ready", sizeBytes: await ingestArtifact(this.#parts, version) };
    } catch (error) {
      const resolution = resolutionOf(error, attempts);
      const facts = { err: error, model_version_id: version.id, attempts, final: resolution !== undefined };
      this.#parts.logger.warn(facts, "the artifact of a model version was not taken over");
      return resolution;
    }
  }

  async #postpone(version: PendingVersion, forMs: number): Promise<PendingVersion | undefined> {
    const { modelVersions, clock } = this.#parts;
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
    const { models, modelVersions, outbox, transaction, clock } = this.#parts;
    const { organisationId, id } = version;
    return transaction(async (session) => {
      if (!(await modelVersions.resolve(organisationId, id, resolution, session))) return;
      const time = clock();
      if (resolution.status === "ready") await models.noteReady(organisationId, { ...version, time }, session);
      await outbox.stage(session, modelVersionResolved(version, resolution, time));
    });
  }
}
