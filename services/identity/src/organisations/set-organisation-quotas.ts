import { isSameLimits, type QuotaLimits } from "@aiplatform/quotas";
import type { IdentityDependencies } from "../dependencies.ts";
import { organisationQuotasSet } from "./organisation-events.ts";
import { stateAfter } from "./organisation-state.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "organisations" | "organisationLimits" | "quotas" | "outbox" | "transaction" | "clock"
>;

/**
 * Sets the limits in place of those that were set before; the same once more change nothing.
 * @throws OrganisationNotFoundError, OrganisationDeletedError
 */
export async function setOrganisationQuotas(
  { organisations, organisationLimits, quotas, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  limits: QuotaLimits,
): Promise<void> {
  const changed = await transaction(async (session) => {
    await organisations.lock(organisationId, session);
    const { id, state } = await organisations.get(organisationId, session);
    stateAfter(state, "setQuotas");
    const former = await organisationLimits.find(id, session);
    if (isSameLimits(former.limits, limits)) return undefined;
    const next = { organisationId: id, limits, revision: former.revision + 1 };
    await organisationLimits.put(next, session);
    await outbox.stage(session, organisationQuotasSet(next, clock()));
    return next;
  });
  if (changed) quotas.limitsChanged(changed.organisationId);
}
