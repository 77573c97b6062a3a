import type { IdentityDependencies } from "../dependencies.ts";
import { apiKeyPolicySet } from "./api-key-events.ts";
import { type ApiKeyPolicy, graceSeconds } from "./api-key-policy.ts";

type Dependencies = Pick<IdentityDependencies, "apiKeys" | "organisations" | "outbox" | "transaction" | "clock">;

/** Sets the policy, and brings the ends of the organisation's keys under it. Keys that are made meanwhile are under it, too. */
export async function setApiKeyPolicy(
  { apiKeys, organisations, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  policy: ApiKeyPolicy,
): Promise<void> {
  const { maxLifetimeSeconds } = policy;
  await transaction(async (session) => {
    await organisations.lock(organisationId, session);
    const former = await organisations.apiKeyPolicy(organisationId, session);
    if (former.maxLifetimeSeconds === maxLifetimeSeconds) return;
    const now = clock();
    await organisations.setApiKeyPolicy(organisationId, policy, session);
    if (maxLifetimeSeconds !== undefined) {
      const notBefore = new Date(now.getTime() + graceSeconds * 1_000);
      await apiKeys.endWithin(organisationId, { maxLifetimeMs: maxLifetimeSeconds * 1_000, notBefore }, session);
    }
    await outbox.stage(session, apiKeyPolicySet(organisationId, policy, now));
  });
}
