import type { ClientSession } from "@aiplatform/document-store";
import type { ArtifactStore } from "./artifact-store.ts";
import type { StoredArtifactStore } from "./stored-artifact-store.ts";
import type { UploadStore } from "./upload-store.ts";

interface Dependencies {
  /** Where the bytes lie. */
  artifacts: Pick<ArtifactStore, "list">;
  uploads: Pick<UploadStore, "receivedBytes">;
  storedArtifacts: StoredArtifactStore;
  clock: () => Date;
}

/** How often the count is compared with what is stored; no upload without a new part lasts longer. */
const dayMs = 86_400_000;
/** What was stored since the comparison began, by the clock of any replica. */
const marginMs = 3_600_000;

/**
 * Bytes of the artifacts of each organisation. They are kept in the database, so that counting costs no listing, and compared with
 * what is stored once a day: artifacts that a person has removed count no longer, and those of a restored backup do.
 */
export class ArtifactBytes {
  readonly #dependencies: Dependencies;
  readonly #comparing = new Map<string, Promise<void>>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Those that are stored, and those that are on their way. Within a transaction as they were compared last. */
  async of(organisationId: string, session?: ClientSession): Promise<number> {
    if (!session) await this.refresh(organisationId);
    return this.#dependencies.storedArtifacts.bytes(organisationId, session);
  }

  /** Compares the count with what is stored, if that was never done or is a day ago. */
  async refresh(organisationId: string): Promise<void> {
    const { storedArtifacts, clock } = this.#dependencies;
    const now = clock();
    const countedAt = await storedArtifacts.countedAt(organisationId);
    if (countedAt && countedAt.getTime() > now.getTime() - dayMs) return;
    const running = this.#comparing.get(organisationId) ?? this.#compare(organisationId, now);
    this.#comparing.set(organisationId, running);
    try {
      await running;
    } finally {
      this.#comparing.delete(organisationId);
    }
  }

  async #compare(organisationId: string, now: Date): Promise<void> {
    const { artifacts, storedArtifacts } = this.#dependencies;
    const stored = new Map<string, number>();
    for await (const { sha256, sizeBytes } of artifacts.list(organisationId)) stored.set(sha256, sizeBytes);
    for await (const { sha256, sizeBytes, isStored, since } of storedArtifacts.all(organisationId)) {
      if (isStored && stored.get(sha256) === sizeBytes) stored.delete(sha256);
      else if (!stored.has(sha256)) await this.#forgetLost(organisationId, { sha256, isStored, since }, now);
    }
    for (const [sha256, sizeBytes] of stored) {
      await storedArtifacts.put(organisationId, { sha256, sizeBytes, isStored: true, since: now });
    }
    await storedArtifacts.setCounted(organisationId, now);
  }

  /** What is not stored may have been stored since the list was read, and what is on its way takes its time. */
  async #forgetLost(
    organisationId: string,
    { sha256, isStored, since }: { sha256: string; isStored: boolean; since: Date },
    now: Date,
  ): Promise<void> {
    const { uploads, storedArtifacts } = this.#dependencies;
    const until = new Date(now.getTime() - (isStored ? marginMs : dayMs));
    if (since > until) return;
    if (!isStored && (await uploads.receivedBytes(organisationId, sha256)) > 0) return;
    await storedArtifacts.forget(organisationId, sha256, until);
  }
}
