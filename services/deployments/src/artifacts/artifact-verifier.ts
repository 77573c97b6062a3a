import { FairQueue, QueueFullError } from "@aiplatform/worker-pool";
import { ArtifactMissingError, type ArtifactStore } from "./artifact-store.ts";
import { digestInThread } from "./digest-in-thread.ts";

/** What reading an artifact has shown. */
export type ArtifactCondition = "intact" | "damaged" | "missing";

interface Reading {
  organisationId: string;
  start: () => Promise<void>;
}

/** Artifacts that a replica reads at once: the disk and the network are shared with predictions and uploads. */
const maxReadings = 2;
const maxReadingsOfOrganisation = 1;
/** Readings of an organisation that wait. */
const maxWaiting = 20;

/** Reads artifacts to verify them: few at once, organisations in turn. */
export class ArtifactVerifier {
  readonly #artifacts: Pick<ArtifactStore, "sizeOf" | "read">;
  readonly #queue = new FairQueue<Reading>();
  readonly #busyOf = new Map<string, number>();
  /** Those under way or waiting, by what they read: who asks for the same waits for it. */
  readonly #readings = new Map<string, Promise<ArtifactCondition>>();
  #busy = 0;

  constructor(artifacts: Pick<ArtifactStore, "sizeOf" | "read">) {
    this.#artifacts = artifacts;
  }

  /** @throws QueueFullError, ArtifactsUnavailableError */
  async verify(organisationId: string, sha256: string): Promise<ArtifactCondition> {
    const key = `${organisationId}/${sha256}`;
    const known = this.#readings.get(key);
    if (known) return known;
    if (this.#queue.lengthOf(organisationId) >= maxWaiting) throw new QueueFullError();
    const reading = this.#queued(organisationId, () => conditionOf(this.#artifacts, organisationId, sha256));
    this.#readings.set(key, reading);
    return await reading.finally(() => this.#readings.delete(key));
  }

  #queued(organisationId: string, read: () => Promise<ArtifactCondition>): Promise<ArtifactCondition> {
    const { promise, resolve, reject } = Promise.withResolvers<ArtifactCondition>();
    this.#queue.push(organisationId, { organisationId, start: () => read().then(resolve, reject) });
    this.#startDue();
    return promise;
  }

  #startDue(): void {
    const mayBeServed = (organisationId: string) => this.#of(organisationId) < maxReadingsOfOrganisation;
    while (this.#busy < maxReadings) {
      const next = this.#queue.shift(mayBeServed);
      if (!next) return;
      this.#count(next.organisationId, 1);
      void next.start().then(() => {
        this.#count(next.organisationId, -1);
        this.#startDue();
      });
    }
  }

  #of(organisationId: string): number {
    return this.#busyOf.get(organisationId) ?? 0;
  }

  #count(organisationId: string, by: number): void {
    this.#busy += by;
    const left = this.#of(organisationId) + by;
    if (left > 0) this.#busyOf.set(organisationId, left);
    else this.#busyOf.delete(organisationId);
  }
}

async function conditionOf(
  artifacts: Pick<ArtifactStore, "sizeOf" | "read">,
  organisationId: string,
  sha256: string,
): Promise<ArtifactCondition> {
  const sizeBytes = await artifacts.sizeOf(organisationId, sha256);
  if (sizeBytes === undefined) return "missing";
  // As a range, the bytes come as they lie there, and nothing else has hashed them.
  const bytes = sizeBytes === 0 ? noBytes() : artifacts.read(organisationId, sha256, { offset: 0, length: sizeBytes });
  try {
    return (await digestInThread(bytes)) === sha256 ? "intact" : "damaged";
  } catch (error) {
    if (error instanceof ArtifactMissingError) return "missing";
    throw error;
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {
  // Nothing to read.
}
