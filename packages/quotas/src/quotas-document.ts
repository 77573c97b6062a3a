import { type DocumentStore, TenantCollection, type TenantDocument } from "@aiplatform/document-store";
import type { QuotaLimits, QuotaName } from "./quota-table.ts";

/** What a service knows of an organisation's quotas: its id is the organisation's. */
export interface QuotasDocument extends TenantDocument {
  /** How often something was admitted in turn: the transactions that are take effect one after the other. Absent: never. */
  admissions?: number;
  /** Sums of the quotas that are summed, from the first that was admitted. */
  used?: Partial<Record<QuotaName, number>>;
  /** What the operator has set by the operation. Absent where nothing ever was. */
  limits?: QuotaLimits;
  /** Of the change that set them. */
  limits_revision?: number;
}

export const quotasCollection = "quotas";

/** The document of each organisation, which transactions near a limit lock. */
export function quotasOf(store: DocumentStore): TenantCollection<QuotasDocument> {
  return new TenantCollection(store, quotasCollection);
}
