import { IdentityQuotaService } from "@aiplatform/contract/aiplatform/identity/v1/quotas";
import { answerQuotas, limitsMessage } from "@aiplatform/quotas";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "./dependencies.ts";

type Dependencies = Pick<IdentityDependencies, "quotas" | "organisationLimits">;

export function quotaRoutes(router: ConnectRouter, { quotas, organisationLimits }: Dependencies): void {
  router.service(IdentityQuotaService, {
    readQuotas: answerQuotas(quotas),
    async listOrganisationQuotas({ after, limit }) {
      const { items, isLast } = await organisationLimits.page(after, limit);
      return { organisations: items.map((item) => ({ ...item, limits: limitsMessage(item.limits) })), isLast };
    },
  });
}
