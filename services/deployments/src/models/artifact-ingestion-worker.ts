import { type Claim, LeaseLostError } from "@aiplatform/document-store";
import { ClaimingWorker, type DomainPlatform, type WorkerPlatform } from "@aiplatform/service-kit";
import { type IngestDependencies, ingestArtifact, resolutionOf } from "./ingest-artifact.ts";
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
}

const leaseMs = 10_000;
/** Artifacts that are fetched at once. */
const concurrency = 8;
const backoff = { minMs: 1_000, maxMs: 60_000 };

/**
 * Fetches the artifacts of pending versions, whichever process registered them. A process that dies leaves its versions to the
 * others: fetching again what is there already costs one read.
 */
export function startArtifactIngestion(dependencies: Dependencies): ClaimingWorker<PendingVersion> {
  return new ClaimingWorker<PendingVersion>(dependencies, {
    name: "artifact-ingestion",
    ...{ leases: dependencies.modelVersions.leases, leaseMs, concurrency, backoff },
    run: async (claim) => resolve(dependencies, claim, await attempt(dependencies, claim)),
  });
}

/** @throws what is to be tried again */
async function attempt(dependencies: Dependencies, { work, failures }: Claim<PendingVersion>): Promise<Resolution> {
  try {
    return { status: "ready", sizeBytes: await ingestArtifact(dependencies, work) };
  } catch (error) {
    const resolution = resolutionOf(error, failures + 1);
    if (!resolution) throw error;
    dependencies.logger.warn(
      { err: error, model_version_id: work.id },
      "the artifact of a model version cannot be stored",
    );
    return resolution;
  }
}

function resolve(dependencies: Dependencies, claim: Claim<PendingVersion>, resolution: Resolution): Promise<void> {
  const { models, modelVersions, outbox, transaction, clock } = dependencies;
  const { organisationId, work } = claim;
  return transaction(async (session) => {
    if (!(await modelVersions.resolve(claim, resolution, session))) throw new LeaseLostError();
    const time = clock();
    if (resolution.status === "ready") await models.noteReady(organisationId, { ...work, time }, session);
    await outbox.stage(session, modelVersionResolved(work, resolution, time));
  });
}
