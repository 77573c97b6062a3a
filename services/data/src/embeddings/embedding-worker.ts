import { ClaimingWorker, type DomainPlatform, type WorkerPlatform } from "@aiplatform/service-kit";
import type { Embedding } from "./embedding.ts";
import { type RunEmbeddingDependencies, runEmbedding } from "./run-embedding.ts";

export interface EmbeddingWorkerDependencies
  extends RunEmbeddingDependencies,
    WorkerPlatform,
    Pick<DomainPlatform, "purges"> {
  logger: DomainPlatform["logger"];
}

const leaseMs = 10_000;
const backoff = { minMs: 1_000, maxMs: 60_000 };
/** Embeddings that one process works on at once: they wait for models most of the time. */
const concurrency = 4;

/** Embeds versions, whichever process has registered it. */
export function startEmbeddingWorker(dependencies: EmbeddingWorkerDependencies): ClaimingWorker<Embedding> {
  const { embeddings, purges } = dependencies;
  return new ClaimingWorker<Embedding>(dependencies, {
    ...{ name: "dataset-embeddings", leases: embeddings.leases, leaseMs, concurrency, backoff },
    waitingOrganisations: () => purges.underWay(),
    run: (claim, signal) => runEmbedding(dependencies, claim, signal),
  });
}
