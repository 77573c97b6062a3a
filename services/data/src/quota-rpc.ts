import { DataQuotaService } from "@aiplatform/contract/aiplatform/data/v1/quotas";
import { answerQuotas } from "@aiplatform/quotas";
import type { ConnectRouter } from "@connectrpc/connect";
import type { DataQuotas } from "./data-quotas.ts";

export function quotaRoutes(router: ConnectRouter, { quotas }: { quotas: Pick<DataQuotas, "read"> }): void {
  router.service(DataQuotaService, { readQuotas: answerQuotas(quotas) });
}
