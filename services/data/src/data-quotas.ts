import type { DocumentStore } from "@aiplatform/document-store";
import { Quotas, type QuotasConfig } from "@aiplatform/quotas";

export type DataQuotas = Quotas<never>;

/** What organisations may have of what this service keeps. */
export function dataQuotas(store: DocumentStore, config: QuotasConfig): DataQuotas {
  return new Quotas(store, { config, usage: {} });
}
