import type { ErrorClass, ErrorEntry, ErrorTable } from "@aiplatform/service-host";
import { Code } from "@connectrpc/connect";
import { type QuotaName, quotaTable } from "./quota-table.ts";

/** What is used of a quota. */
export interface QuotaUse {
  readonly name: QuotaName;
  readonly limit: number;
  readonly used: number;
}

/** The organisation would have more than its quota. Nothing was changed. */
export class QuotaExceededError extends Error {
  override name = "QuotaExceededError";
  readonly use: QuotaUse;
  readonly asked: number;
  constructor(use: QuotaUse, asked: number) {
    const { noun, remedy } = quotaTable[use.name];
    const more = asked === 1 ? "" : `, and this needs ${asked} more`;
    super(
      `The organisation has ${use.used} of ${use.limit} ${noun}${more}. ${remedy}, or ask the operator for a higher quota.`,
    );
    this.use = use;
    this.asked = asked;
  }
}

function metadataOf(error: Error): Record<string, string> {
  if (!(error instanceof QuotaExceededError)) return {};
  const { name, limit, used } = error.use;
  return { quota: name, limit: `${limit}`, used: `${used}`, asked: `${error.asked}` };
}

/** What callers see of a refusal; a service spreads it into its own table. */
export const quotaErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  [QuotaExceededError, { code: Code.PermissionDenied, reason: "QUOTA_EXCEEDED", metadata: metadataOf }],
]);
