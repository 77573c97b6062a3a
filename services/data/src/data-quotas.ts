import type { DocumentStore } from "@aiplatform/document-store";
import { Quotas, type QuotasConfig, type UsageReader } from "@aiplatform/quotas";

export type DataQuotas = Quotas<"dataset_versions" | "dataset_bytes">;

/** What organisations may have of what this service keeps. */
export function dataQuotas(
  store: DocumentStore,
  {
    versions,
    embeddings,
  }: { versions: { count: UsageReader; bytes: UsageReader }; embeddings: { bytes: UsageReader } },
  config: QuotasConfig,
): DataQuotas {
  return new Quotas(store, {
    config,
    usage: {
      dataset_versions: (organisationId, session) => versions.count(organisationId, session),
      dataset_bytes: async (organisationId, session) =>
        (await versions.bytes(organisationId, session)) + (await embeddings.bytes(organisationId, session)),
    },
  });
}
