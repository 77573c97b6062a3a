import type { Claim } from "@aiplatform/document-store";
import { LeaseLostError } from "@aiplatform/document-store";
import {
  ClaimingWorker,
  type DomainPlatform,
  startWorker,
  type Worker,
  type WorkerPlatform,
} from "@aiplatform/service-kit";
import type { ArtifactReferences } from "../artifact-references/artifact-references.ts";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import type { VersionUses } from "../other-services/version-uses.ts";
import { artifactsOf, type DatasetVersion, type VersionRef } from "./dataset-version.ts";
import { type ReadVersionDependencies, readVersion } from "./read-version.ts";

export interface VersionWorkerDependencies
  extends ReadVersionDependencies,
    WorkerPlatform,
    Pick<DomainPlatform, "purges"> {
  artifacts: StoredArtifacts;
  uses: Pick<VersionUses, "find">;
  references: ArtifactReferences;
  /** What is kept of versions beside them: its artifacts go with theirs. */
  embeddings: { digestsOf(ref: VersionRef): Promise<string[]>; removePurged(ref: VersionRef): Promise<void> };
  logger: DomainPlatform["logger"];
  /** Versions that are read at once. */
  concurrency: number;
}

const leaseMs = 10_000;
const backoff = { minMs: 1_000, maxMs: 60_000 };
/** Artifacts that are removed by one call. */
const eraseAtOnce = 100;
/** Between two looks for copies that nothing needs, ms. */
const sweepEveryMs = 600_000;

/** Reads and purges versions, whichever process has registered them. */
export function startVersionWorker(dependencies: VersionWorkerDependencies): ClaimingWorker<DatasetVersion> {
  const { versions, purges, concurrency } = dependencies;
  return new ClaimingWorker<DatasetVersion>(dependencies, {
    ...{ name: "dataset-versions", leases: versions.leases, leaseMs, concurrency, backoff },
    waitingOrganisations: () => purges.underWay(),
    run: (claim, signal) =>
      claim.work.state === "purging" ? erase(dependencies, claim, signal) : readVersion(dependencies, claim, signal),
  });
}

/** Removes the bytes of a version that is purged. What something else refers to stays. */
async function erase(
  { versions, embeddings, references, artifacts, cache, uses, clock }: VersionWorkerDependencies,
  claim: Claim<DatasetVersion>,
  signal: AbortSignal,
): Promise<void> {
  const { organisationId, work } = claim;
  const ref = { organisationId, datasetId: work.datasetId, versionId: work.id };
  const digests = [...artifactsOf(work), ...(await embeddings.digestsOf(ref))];
  const all = [...new Set(digests)];
  for (let from = 0; from < all.length; from += eraseAtOnce) {
    await artifacts.erase(organisationId, all.slice(from, from + eraseAtOnce), signal);
  }
  const needed = new Set(await references.among(organisationId, all));
  for (const sha256 of all) if (!needed.has(sha256)) await cache.remove({ organisationId, sha256 });
  await embeddings.removePurged(ref);
  // A run that was being created when the purge began is there by now.
  const found = await uses.find(ref);
  if (!(await versions.endPurging(claim, { now: clock(), uses: found }))) throw new LeaseLostError();
}

/** Removes copies of data that is purged or deleted, on this machine: another replica may have done the rest. */
export function startCacheSweep({
  references,
  cache,
  signal,
  ...observed
}: WorkerPlatform & Pick<VersionWorkerDependencies, "references" | "cache"> & { signal: AbortSignal }): Worker {
  const round = () => cache.sweep((organisationId, digests) => references.among(organisationId, digests));
  return startWorker(observed, { name: "data-cache-sweep", pauseMs: sweepEveryMs, signal, round });
}
