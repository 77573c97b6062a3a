import type { IdentityDependencies } from "../dependencies.ts";
import { type ApiKey, generateApiKey } from "./api-key.ts";
import type { StoredApiKey } from "./api-key-store.ts";

/** A key that is about to be stored, and its secret, which is shown once. */
export interface NewApiKey extends StoredApiKey {
  secret: string;
}

/** Makes a key; nothing is stored yet. */
export function newApiKey(
  { hasher, clock, newId, randomBytes }: Pick<IdentityDependencies, "hasher" | "clock" | "newId" | "randomBytes">,
  wanted: Pick<ApiKey, "organisationId" | "name" | "permissionIds" | "expiresAt" | "createdByMemberId">,
): NewApiKey {
  const secret = generateApiKey(randomBytes);
  const apiKey: ApiKey = {
    ...wanted,
    id: newId(),
    lastFour: secret.slice(-4),
    createdAt: clock(),
    lastUsedAt: undefined,
    revokedAt: undefined,
    replacedById: undefined,
  };
  return { apiKey, secret, hash: hasher.hash(secret) };
}
