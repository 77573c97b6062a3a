import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { type ApiKey, assertRotatable, endOfOverlap } from "./api-key.ts";
import { apiKeyCredentialChanged, apiKeyRotated } from "./api-key-events.ts";
import { type ApiKeyPolicy, endUnder } from "./api-key-policy.ts";
import { type NewApiKey, newApiKey } from "./new-api-key.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "apiKeys" | "organisations" | "quotas" | "outbox" | "transaction" | "hasher" | "clock" | "newId" | "randomBytes"
>;

/**
 * Makes a key that takes over from another, with its name and permissions; the other ends after the overlap.
 * @throws ApiKeyNotFoundError, ApiKeyNotRotatableError, GrantExceedsCallerError, QuotaExceededError
 */
export function rotateApiKey(
  dependencies: Dependencies,
  { organisationId, memberId, permissions }: GrantingCaller,
  { apiKeyId, overlapSeconds }: { apiKeyId: string; overlapSeconds: number },
): Promise<NewApiKey> {
  const { apiKeys, organisations, quotas, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    await organisations.lock(organisationId, session);
    const policy = await organisations.apiKeyPolicy(organisationId, session);
    const old = await apiKeys.get(organisationId, apiKeyId, session);
    const now = clock();
    assertRotatable(old, now);
    assertMayGrant(permissions, old.permissionIds);
    const { name, permissionIds } = old;
    const made = newApiKey(dependencies, {
      organisationId,
      name,
      permissionIds,
      expiresAt: successorEnd(old, policy, now),
      createdByMemberId: memberId,
    });
    const successor = { id: old.id, replacedById: made.apiKey.id, expiresAt: endOfOverlap(old, now, overlapSeconds) };
    await quotas.admit(organisationId, { api_keys: 1 }, session);
    await apiKeys.insert(organisationId, made, session);
    await apiKeys.setSuccessor(organisationId, successor, session);
    // Same transaction: contexts given out before would outlive an overlap that ends within their minute.
    await outbox.stage(session, apiKeyCredentialChanged(old, now), apiKeyRotated(old, made.apiKey, now));
    return made;
  });
}

/** Without a maximum the end of the old key; under one, as long a life as the old key had, so that keys can be renewed. */
function successorEnd({ createdAt, expiresAt }: ApiKey, policy: ApiKeyPolicy, now: Date): Date | undefined {
  if (policy.maxLifetimeSeconds === undefined || !expiresAt) return endUnder(policy, { expiresAt, now });
  const lifetimeMs = expiresAt.getTime() - createdAt.getTime();
  return endUnder(policy, { expiresAt: new Date(now.getTime() + lifetimeMs), now });
}
