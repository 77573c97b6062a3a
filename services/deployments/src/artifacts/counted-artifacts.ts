import type { ClientSession } from "@aiplatform/document-store";
import type { Quotas } from "@aiplatform/quotas";
import type { ArtifactBytes } from "./artifact-bytes.ts";
import type { ArtifactMarkStore } from "./artifact-mark-store.ts";
import {
  ArtifactDigestError,
  type ArtifactStore,
  ArtifactTooLargeError,
  type ByteRange,
  type ListedArtifact,
} from "./artifact-store.ts";
import type { StoredArtifactStore } from "./stored-artifact-store.ts";

interface Dependencies {
  artifacts: ArtifactStore;
  /** Bytes of an artifact at most. */
  maxArtifactBytes: number;
  storedArtifacts: StoredArtifactStore;
  artifactMarks: Pick<ArtifactMarkStore, "use">;
  artifactBytes: Pick<ArtifactBytes, "refresh">;
  quotas: Pick<Quotas<"artifact_bytes">, "admit">;
  transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
  clock: () => Date;
}

interface NewArtifact {
  sha256: string;
  sizeBytes: number;
}

/** Artifacts that count against the quota of their organisation from before their first byte is written. */
export class CountedArtifacts implements ArtifactStore {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Counts an artifact whose bytes are to come. Again for the same artifact, it counts what is more.
   * @throws QuotaExceededError
   */
  async reserve(organisationId: string, { sha256, sizeBytes }: NewArtifact): Promise<void> {
    const { storedArtifacts, artifactBytes, quotas, transaction, clock } = this.#dependencies;
    await artifactBytes.refresh(organisationId);
    await transaction(async (session) => {
      const counted = (await storedArtifacts.sizeOf(organisationId, sha256, session)) ?? 0;
      await quotas.admit(organisationId, { artifact_bytes: sizeBytes - counted }, session);
      const reserved = { sha256, sizeBytes: Math.max(counted, sizeBytes), isStored: false, since: clock() };
      await storedArtifacts.put(organisationId, reserved, session);
    });
  }

  /** Counts an artifact no longer whose bytes will not come. */
  async release(organisationId: string, sha256: string): Promise<void> {
    const { artifacts, storedArtifacts, clock } = this.#dependencies;
    if ((await artifacts.sizeOf(organisationId, sha256)) !== undefined) return;
    await storedArtifacts.forget(organisationId, sha256, clock());
  }

  /** @throws QuotaExceededError, and what storing throws */
  async put(
    organisationId: string,
    artifact: { sha256: string; sizeBytes?: number },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<number> {
    const { artifacts, maxArtifactBytes, storedArtifacts, clock } = this.#dependencies;
    const { sha256 } = artifact;
    const known = await this.sizeOf(organisationId, sha256);
    if (known !== undefined) return known;
    await this.reserve(organisationId, { sha256, sizeBytes: artifact.sizeBytes ?? maxArtifactBytes });
    try {
      const sizeBytes = await artifacts.put(organisationId, artifact, bytes);
      await storedArtifacts.put(organisationId, { sha256, sizeBytes, isStored: true, since: clock() });
      return sizeBytes;
    } catch (error) {
      // The same bytes would be refused again. After any other failure they may still come.
      const isFinal = error instanceof ArtifactDigestError || error instanceof ArtifactTooLargeError;
      if (isFinal) await this.release(organisationId, sha256);
      throw error;
    }
  }

  /** From then on the artifact is kept for the retention at least: the caller may rely on it. @throws ArtifactRemovalError */
  async sizeOf(organisationId: string, sha256: string): Promise<number | undefined> {
    // In this order: what is there after the mark was taken away stays.
    await this.#dependencies.artifactMarks.use(organisationId, sha256);
    return this.#dependencies.artifacts.sizeOf(organisationId, sha256);
  }

  list(organisationId: string): AsyncIterable<ListedArtifact> {
    return this.#dependencies.artifacts.list(organisationId);
  }

  read(organisationId: string, sha256: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    return this.#dependencies.artifacts.read(organisationId, sha256, range);
  }

  remove(organisationId: string, sha256: string): Promise<void> {
    return this.#dependencies.artifacts.remove(organisationId, sha256);
  }

  removeAll(organisationId: string, signal: AbortSignal): Promise<void> {
    return this.#dependencies.artifacts.removeAll(organisationId, signal);
  }

  ping(signal: AbortSignal): Promise<void> {
    return this.#dependencies.artifacts.ping(signal);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#dependencies.artifacts[Symbol.asyncDispose]();
  }
}
