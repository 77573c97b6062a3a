import { callerOf } from "@aiplatform/caller-identity";
import type { Quota } from "@aiplatform/contract/aiplatform/quotas/v1/quotas";
import type { HandlerContext } from "@connectrpc/connect";
import { quotaMessage } from "./quota-message.ts";
import type { QuotaName } from "./quota-table.ts";
import type { Quotas } from "./quotas.ts";

/** Answers ReadQuotas of a service: what the caller's organisation may have and has of what the service counts. */
export function answerQuotas<N extends QuotaName>(
  quotas: Pick<Quotas<N>, "read">,
): (request: unknown, context: HandlerContext) => Promise<{ quotas: Quota[] }> {
  return async (_, context) => ({ quotas: (await quotas.read(callerOf(context).organisationId)).map(quotaMessage) });
}
