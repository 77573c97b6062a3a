import {
  type QuotaLimits as QuotaLimitsMessage,
  QuotaLimitsSchema,
} from "@aiplatform/contract/aiplatform/quotas/v1/quotas";
import { create } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { isQuotaName, type QuotaLimits, type QuotaName } from "./quota-table.ts";

/** Limits as the contract shows them: the fields of the message have the names of the quotas. */
export function limitsMessage(limits: QuotaLimits): QuotaLimitsMessage {
  const message = create(QuotaLimitsSchema);
  const fields = reflect(QuotaLimitsSchema, message);
  for (const field of QuotaLimitsSchema.fields) {
    const limit = isQuotaName(field.name) ? limits[field.name] : undefined;
    if (limit !== undefined) fields.set(field, BigInt(limit));
  }
  return message;
}

export function limitsFrom(message: QuotaLimitsMessage = create(QuotaLimitsSchema)): QuotaLimits {
  const fields = reflect(QuotaLimitsSchema, message);
  const limits: Partial<Record<QuotaName, number>> = {};
  for (const field of QuotaLimitsSchema.fields) {
    if (isQuotaName(field.name) && fields.isSet(field)) limits[field.name] = Number(fields.get(field));
  }
  return limits;
}
