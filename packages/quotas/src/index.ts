export { answerQuotas } from "./answer-quotas.ts";
export { QuotaExceededError, type QuotaUse, quotaErrors } from "./quota-exceeded-error.ts";
export { quotaMessage } from "./quota-message.ts";
export { isQuotaName, maxLimit, type Quota, type QuotaLimits, type QuotaName, quotaTable } from "./quota-table.ts";
export { Quotas, type QuotasConfig, type UsageReader } from "./quotas.ts";
export { quotaSettings } from "./settings.ts";
