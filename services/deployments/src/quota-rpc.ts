import { DeploymentsQuotaService } from "@aiplatform/contract/aiplatform/deployments/v1/quotas";
import { answerQuotas } from "@aiplatform/quotas";
import type { ConnectRouter } from "@connectrpc/connect";
import type { DeploymentsQuotas } from "./deployments/deployments-quotas.ts";

export function quotaRoutes(router: ConnectRouter, { quotas }: { quotas: Pick<DeploymentsQuotas, "read"> }): void {
  router.service(DeploymentsQuotaService, { readQuotas: answerQuotas(quotas) });
}
