import { type QuotaLimits, type QuotaName, quotaTable } from "./quota-table.ts";

/** Limits that the settings of a service give, in place of those of the table. */
export interface QuotasConfig {
  /** For all organisations. */
  readonly QUOTAS?: QuotaLimits | undefined;
  /** For single ones, by id. */
  readonly ORGANISATION_QUOTAS?: ReadonlyMap<string, QuotaLimits> | undefined;
}

/**
 * How much an organisation may have. What the operator has set by the operation holds, else what the settings say of this
 * organisation, else what they say of all, else the table.
 */
export function limitOf(
  name: QuotaName,
  { organisationId, set }: { organisationId: string; set: QuotaLimits | undefined },
  { QUOTAS: ofAll, ORGANISATION_QUOTAS: ofSingle }: QuotasConfig,
): number {
  return set?.[name] ?? ofSingle?.get(organisationId)?.[name] ?? ofAll?.[name] ?? quotaTable[name].limit;
}
