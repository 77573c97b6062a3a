import type { Granter, IdentityDependencies } from "../dependencies.ts";
import { assertKnown, assertMayGrant } from "../permissions/grant.ts";
import { type ApiKey, ExpiryInPastError } from "./api-key.ts";
import { type NewApiKey, newApiKey } from "./new-api-key.ts";

/** Makes a key. Throws UnknownPermissionError, GrantExceedsCallerError, ExpiryInPastError. */
export async function createApiKey(
  dependencies: Pick<IdentityDependencies, "apiKeys" | "catalogue" | "hasher" | "clock" | "newId" | "randomBytes">,
  granter: Granter,
  wanted: Pick<ApiKey, "name" | "permissionIds" | "expiresAt">,
): Promise<NewApiKey> {
  assertKnown(dependencies.catalogue, wanted.permissionIds);
  assertMayGrant(granter.permissions, wanted.permissionIds);
  if (wanted.expiresAt && wanted.expiresAt <= dependencies.clock()) throw new ExpiryInPastError();
  const { organisationId } = granter;
  const made = newApiKey(dependencies, { ...wanted, organisationId });
  await dependencies.apiKeys.insert(organisationId, made);
  return made;
}
