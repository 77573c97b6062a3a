import type { ClientSession } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { DatasetVersion, VersionRef } from "./dataset-version.ts";
import { versionPurged } from "./version-events.ts";
import type { DatasetVersionStore } from "./version-store.ts";

export interface PurgeVersionDependencies extends Pick<DomainPlatform, "outbox" | "transaction" | "clock"> {
  versions: DatasetVersionStore;
  /** What is kept of the version elsewhere. */
  statistics: { remove(ref: VersionRef, session: ClientSession): Promise<void> };
  embeddings: { beginPurging(ref: VersionRef, write: { now: Date; session: ClientSession }): Promise<void> };
  parts: { removeVersion(ref: VersionRef, session: ClientSession): Promise<void> };
}

/** Begins to remove the data of a version: nothing of it can be read from then on. Again it changes nothing. @throws DatasetVersionNotFoundError */
export function purgeVersion(
  { versions, statistics, embeddings, parts, outbox, transaction, clock }: PurgeVersionDependencies,
  ref: VersionRef,
): Promise<DatasetVersion> {
  return transaction(async (session) => {
    const version = await versions.get(ref, session);
    const time = clock();
    if (!(await versions.beginPurging(ref, time, session))) return version;
    await statistics.remove(ref, session);
    await embeddings.beginPurging(ref, { now: time, session });
    await parts.removeVersion(ref, session);
    await outbox.stage(session, versionPurged(version, time));
    return await versions.get(ref, session);
  });
}
