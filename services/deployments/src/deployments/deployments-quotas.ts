import type { DocumentStore } from "@aiplatform/document-store";
import { Quotas, type QuotasConfig } from "@aiplatform/quotas";
import type { ArtifactBytes } from "../artifacts/artifact-bytes.ts";
import type { DeploymentStore } from "./deployment-store.ts";
import type { InstanceMemory } from "./instance-memory.ts";

export type DeploymentsQuotas = Quotas<"deployments" | "instance_memory_mb" | "artifact_bytes">;

/** What organisations may have of what this service keeps. */
export function deploymentsQuotas(
  store: DocumentStore,
  {
    deployments,
    instanceMemory,
    artifactBytes,
  }: { deployments: DeploymentStore; instanceMemory: InstanceMemory; artifactBytes: ArtifactBytes },
  config: QuotasConfig,
): DeploymentsQuotas {
  return new Quotas(store, {
    config,
    usage: {
      deployments: (organisationId, session) => deployments.count(organisationId, session),
      instance_memory_mb: (organisationId, session) => instanceMemory.total(organisationId, session),
      artifact_bytes: (organisationId, session) => artifactBytes.of(organisationId, session),
    },
  });
}
