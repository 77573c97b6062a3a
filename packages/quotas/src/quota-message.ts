import { type Quota as QuotaMessage, QuotaSchema, QuotaUnit } from "@aiplatform/contract/aiplatform/quotas/v1/quotas";
import { create } from "@bufbuild/protobuf";
import type { QuotaUse } from "./quota-exceeded-error.ts";
import { type Quota, quotaTable } from "./quota-table.ts";

const units: Readonly<Record<Quota["unit"], QuotaUnit>> = {
  count: QuotaUnit.COUNT,
  bytes: QuotaUnit.BYTES,
  mebibytes: QuotaUnit.MEBIBYTES,
};

/** A quota as the contract shows it. */
export function quotaMessage({ name, limit, used }: QuotaUse): QuotaMessage {
  return create(QuotaSchema, { name, limit: BigInt(limit), used: BigInt(used), unit: units[quotaTable[name].unit] });
}
