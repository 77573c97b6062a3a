import type { Caller } from "@aiplatform/caller-identity";
import type { Quota } from "@aiplatform/contract/aiplatform/quotas/v1/quotas";
import { quotaMessage } from "@aiplatform/quotas";
import type { ContentQuotas } from "../content-quotas.ts";
import type { QuotasElsewhere } from "./quotas-elsewhere.ts";

export interface ListQuotasDependencies {
  quotas: Pick<ContentQuotas, "read">;
  quotasElsewhere: Pick<QuotasElsewhere, "read" | "readIfInstalled">;
}

/** What the caller's organisation may have and has, of all services. @throws QuotasUnavailableError */
export async function listQuotas(
  { quotas, quotasElsewhere }: ListQuotasDependencies,
  caller: Pick<Caller, "organisationId" | "signedContext" | "signedContexts">,
): Promise<Quota[]> {
  const own = async () => (await quotas.read(caller.organisationId)).map(quotaMessage);
  const all = await Promise.all([
    quotasElsewhere.read(caller, "identity"),
    quotasElsewhere.read(caller, "training"),
    own(),
    quotasElsewhere.read(caller, "deployments"),
    quotasElsewhere.readIfInstalled(caller, "data"),
  ]);
  return all.flat();
}
