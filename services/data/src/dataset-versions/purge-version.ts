import type { ClientSession } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { VersionUses } from "../other-services/version-uses.ts";
import type { DatasetVersion, VersionRef } from "./dataset-version.ts";
import { versionPurged } from "./version-events.ts";
import { mayMove } from "./version-state.ts";
import type { DatasetVersionStore } from "./version-store.ts";

export interface PurgeVersionDependencies extends Pick<DomainPlatform, "outbox" | "transaction" | "clock"> {
  versions: DatasetVersionStore;
  /** What is kept of the version elsewhere. */
  statistics: { remove(ref: VersionRef, session: ClientSession): Promise<void> };
  embeddings: { beginPurging(ref: VersionRef, write: { now: Date; session: ClientSession }): Promise<void> };
  /** Records that nothing of the version is sent out of the platform any longer. */
  endExports(ref: VersionRef, write: { now: Date; session: ClientSession }): Promise<void>;
  parts: { removeVersion(ref: VersionRef, session: ClientSession): Promise<void> };
  uses: Pick<VersionUses, "findIfKnown">;
}

/**
 * Begins to remove the data of a version: nothing of it can be read from then on, and it keeps what has used the data. Again it changes nothing. `dryRun` answers the
 * version with its uses, and changes nothing.
 * @throws DatasetVersionNotFoundError
 */
export async function purgeVersion(
  { versions, statistics, embeddings, endExports, parts, uses, outbox, transaction, clock }: PurgeVersionDependencies,
  { dryRun, ...ref }: VersionRef & { dryRun: boolean },
): Promise<DatasetVersion> {
  const found = await versions.get(ref);
  const hasData = found.state !== "purging" && mayMove(found.state, "purging");
  const used = hasData ? await uses.findIfKnown(ref) : found.uses;
  if (dryRun) return { ...found, uses: used };
  return transaction(async (session) => {
    const version = await versions.get(ref, session);
    const now = clock();
    if (!(await versions.beginPurging(ref, { now, uses: used }, session))) return version;
    await statistics.remove(ref, session);
    await endExports(ref, { now, session });
    await embeddings.beginPurging(ref, { now, session });
    await parts.removeVersion(ref, session);
    await outbox.stage(session, versionPurged(version, now));
    return await versions.get(ref, session);
  });
}
