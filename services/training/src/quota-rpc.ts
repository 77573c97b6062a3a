import { TrainingQuotaService } from "@aiplatform/contract/aiplatform/training/v1/quotas";
import { answerQuotas } from "@aiplatform/quotas";
import type { ConnectRouter } from "@connectrpc/connect";
import type { TrainingQuotas } from "./training-quotas.ts";

export function quotaRoutes(router: ConnectRouter, { quotas }: { quotas: Pick<TrainingQuotas, "read"> }): void {
  router.service(TrainingQuotaService, { readQuotas: answerQuotas(quotas) });
}
