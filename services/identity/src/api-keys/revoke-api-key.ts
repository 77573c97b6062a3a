import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import type { ApiKey } from "./api-key.ts";
import { apiKeyCredentialChanged, apiKeyRevoked } from "./api-key-events.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "apiKeys" | "sessions" | "outbox" | "transaction" | "catalogue" | "clock"
>;

/**
 * Revokes a key for ever; a key that is revoked already stays as it is.
 * @throws ApiKeyNotFoundError
 * @throws GrantExceedsCallerError where the key holds what the caller does not: a weak key could lock strong ones out
 */
export function revokeApiKey(
  { apiKeys, sessions, outbox, transaction, catalogue, clock }: Dependencies,
  { organisationId, permissions }: GrantingCaller,
  id: string,
): Promise<ApiKey> {
  return transaction(async (session) => {
    const apiKey = await apiKeys.get(organisationId, id, session);
    if (apiKey.revokedAt) return apiKey;
    // A permission that a later version no longer knows stops no administrator.
    const held = apiKey.permissionIds.filter((permission) => catalogue.has(permission));
    assertMayGrant(permissions, held);
    const revokedAt = clock();
    await apiKeys.revoke(organisationId, id, revokedAt, session);
    await sessions.deleteOfHolder(organisationId, { apiKeyId: id }, session);
    // Same transaction: caches that are not told would let the key in for another minute.
    await outbox.stage(session, apiKeyCredentialChanged(apiKey, revokedAt), apiKeyRevoked(apiKey, revokedAt));
    return { ...apiKey, revokedAt };
  });
}
