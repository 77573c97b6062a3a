import type { IdentityDependencies } from "../dependencies.ts";
import type { ApiKey } from "./api-key.ts";
import { apiKeyCredentialChanged, apiKeyRevoked } from "./api-key-events.ts";

/** Revokes a key for ever; a key that is revoked already stays as it is. @throws ApiKeyNotFoundError */
export function revokeApiKey(
  { apiKeys, outbox, transaction, clock }: Pick<IdentityDependencies, "apiKeys" | "outbox" | "transaction" | "clock">,
  organisationId: string,
  id: string,
): Promise<ApiKey> {
  return transaction(async (session) => {
    const apiKey = await apiKeys.get(organisationId, id, session);
    if (apiKey.revokedAt) return apiKey;
    const revokedAt = clock();
    await apiKeys.revoke(organisationId, id, revokedAt, session);
    // Same transaction: caches that are not told would let the key in for another minute.
    await outbox.stage(session, apiKeyCredentialChanged(apiKey, revokedAt), apiKeyRevoked(apiKey, revokedAt));
    return { ...apiKey, revokedAt };
  });
}
