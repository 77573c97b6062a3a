import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant } from "../permissions/grant.ts";
import { assertRotatable, endOfOverlap } from "./api-key.ts";
import { apiKeyCredentialChanged, apiKeyRotated } from "./api-key-events.ts";
import { type NewApiKey, newApiKey } from "./new-api-key.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "apiKeys" | "outbox" | "transaction" | "hasher" | "clock" | "newId" | "randomBytes"
>;

/**
 * Makes a key that takes over from another, with its name, permissions and expiry; the other ends after the overlap.
 * @throws ApiKeyNotFoundError, ApiKeyNotRotatableError, GrantExceedsCallerError
 */
export function rotateApiKey(
  dependencies: Dependencies,
  { organisationId, memberId, permissions }: GrantingCaller,
  { apiKeyId, overlapSeconds }: { apiKeyId: string; overlapSeconds: number },
): Promise<NewApiKey> {
  const { apiKeys, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const old = await apiKeys.get(organisationId, apiKeyId, session);
    const now = clock();
    assertRotatable(old, now);
    assertMayGrant(permissions, old.permissionIds);
    const { name, permissionIds, expiresAt } = old;
    const made = newApiKey(dependencies, {
      organisationId,
      name,
      permissionIds,
      expiresAt,
      createdByMemberId: memberId,
    });
    const successor = { id: old.id, replacedById: made.apiKey.id, expiresAt: endOfOverlap(old, now, overlapSeconds) };
    await apiKeys.insert(organisationId, made, session);
    await apiKeys.setSuccessor(organisationId, successor, session);
    // Same transaction: contexts given out before would outlive an overlap that ends within their minute.
    await outbox.stage(session, apiKeyCredentialChanged(old, now), apiKeyRotated(old, made.apiKey, now));
    return made;
  });
}
