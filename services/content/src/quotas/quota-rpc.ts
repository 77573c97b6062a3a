import { callerOf } from "@aiplatform/caller-identity";
import { QuotaService } from "@aiplatform/contract/aiplatform/content/v1/quotas";
import type { ConnectRouter } from "@connectrpc/connect";
import { type ListQuotasDependencies, listQuotas } from "./list-quotas.ts";

export function quotaRoutes(router: ConnectRouter, dependencies: ListQuotasDependencies): void {
  router.service(QuotaService, {
    async listQuotas(_, context) {
      return { quotas: await listQuotas(dependencies, callerOf(context)) };
    },
  });
}
