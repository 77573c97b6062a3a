import type { IdentityDependencies } from "../dependencies.ts";
import { apiKeyChanged, apiKeyRevoked } from "../events.ts";
import { type ApiKey, ApiKeyNotFoundError } from "./api-key.ts";

/** Revokes a key for ever; a key that is revoked already stays as it is. Throws ApiKeyNotFoundError. */
export function revokeApiKey(
  { apiKeys, outbox, transaction, clock }: Pick<IdentityDependencies, "apiKeys" | "outbox" | "transaction" | "clock">,
  organisationId: string,
  id: string,
): Promise<ApiKey> {
  return transaction(async (session) => {
    const apiKey = await apiKeys.find(organisationId, id, session);
    if (!apiKey) throw new ApiKeyNotFoundError(id);
    if (apiKey.revokedAt) return apiKey;
    const revokedAt = clock();
    await apiKeys.revoke(organisationId, id, revokedAt, session);
    // Same transaction: caches that are not told would let the key in for another minute.
    await outbox.stage(session, apiKeyChanged(apiKey, revokedAt), apiKeyRevoked(apiKey, revokedAt));
    return { ...apiKey, revokedAt };
  });
}
