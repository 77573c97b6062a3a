import type { DocumentStore } from "@aiplatform/document-store";
import { Quotas, type QuotasConfig } from "@aiplatform/quotas";
import type { PipelineStore } from "./pipelines/pipeline-store.ts";
import type { RunStore } from "./runs/run-store.ts";

export type TrainingQuotas = Quotas<"pipelines" | "runs" | "run_configuration_bytes">;

/** What organisations may have of what this service keeps. */
export function trainingQuotas(
  store: DocumentStore,
  { pipelines, runs }: { pipelines: PipelineStore; runs: RunStore },
  config: QuotasConfig,
): TrainingQuotas {
  return new Quotas(store, {
    config,
    usage: {
      pipelines: (organisationId, session) => pipelines.count(organisationId, session),
      runs: (organisationId, session) => runs.count(organisationId, session),
      run_configuration_bytes: (organisationId, session) => runs.bytes(organisationId, session),
    },
  });
}
