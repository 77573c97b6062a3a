export { answerQuotas } from "./answer-quotas.ts";
export type { QuotasConfig } from "./limit-of.ts";
export { OrganisationLimitStore } from "./organisation-limit-store.ts";
export { isSameLimits, type LimitsPage, type OrganisationLimits } from "./organisation-limits.ts";
export { QuotaExceededError, type QuotaUse, quotaErrors } from "./quota-exceeded-error.ts";
export { quotaMessage } from "./quota-message.ts";
export { isQuotaName, maxLimit, type Quota, type QuotaLimits, type QuotaName, quotaTable } from "./quota-table.ts";
export { Quotas, type UsageReader } from "./quotas.ts";
export { quotaSettings } from "./settings.ts";
