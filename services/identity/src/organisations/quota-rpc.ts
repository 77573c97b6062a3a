import { IdentityQuotaService } from "@aiplatform/contract/aiplatform/identity/v1/quotas";
import { answerQuotas } from "@aiplatform/quotas";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityQuotas } from "./identity-quotas.ts";

export function quotaRoutes(router: ConnectRouter, { quotas }: { quotas: Pick<IdentityQuotas, "read"> }): void {
  router.service(IdentityQuotaService, { readQuotas: answerQuotas(quotas) });
}
