import { assertNone } from "@aiplatform/service-host";
import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant, unknownPermissions } from "../permissions/grant.ts";
import { unique } from "../roles/role.ts";
import { type ApiKey, expiryProblems } from "./api-key.ts";
import { apiKeyCreated } from "./api-key-events.ts";
import { type NewApiKey, newApiKey } from "./new-api-key.ts";

type Dependencies = Pick<
  IdentityDependencies,
  "apiKeys" | "outbox" | "transaction" | "catalogue" | "hasher" | "clock" | "newId" | "randomBytes"
>;

/** Makes a key. @throws InvalidFieldsError, GrantExceedsCallerError */
export async function createApiKey(
  dependencies: Dependencies,
  { organisationId, memberId, permissions }: GrantingCaller,
  { name, permissionIds, expiresAt }: Pick<ApiKey, "name" | "permissionIds" | "expiresAt">,
): Promise<NewApiKey> {
  const { apiKeys, outbox, transaction, catalogue, clock } = dependencies;
  assertNone([...unknownPermissions(catalogue, permissionIds), ...expiryProblems(expiresAt, clock())]);
  assertMayGrant(permissions, permissionIds);
  const scope = { permissionIds: unique(permissionIds), expiresAt };
  const made = newApiKey(dependencies, { organisationId, name, ...scope, createdByMemberId: memberId });
  await transaction(async (session) => {
    await apiKeys.insert(organisationId, made, session);
    await outbox.stage(session, apiKeyCreated(made.apiKey, made.apiKey.createdAt));
  });
  return made;
}
