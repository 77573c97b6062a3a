import { assertNone } from "@aiplatform/service-host";
import type { GrantingCaller, IdentityDependencies } from "../dependencies.ts";
import { assertMayGrant, unknownPermissions } from "../permissions/grant.ts";
import { unique } from "../roles/role.ts";
import { type ApiKey, expiryProblems } from "./api-key.ts";
import { apiKeyCreated } from "./api-key-events.ts";
import { endUnder, lifetimeProblems } from "./api-key-policy.ts";
import { type NewApiKey, newApiKey } from "./new-api-key.ts";

type Dependencies = Pick<
  IdentityDependencies,
  | "apiKeys"
  | "organisations"
  | "quotas"
  | "outbox"
  | "transaction"
  | "catalogue"
  | "hasher"
  | "clock"
  | "newId"
  | "randomBytes"
>;

/** Makes a key. @throws InvalidFieldsError, GrantExceedsCallerError, QuotaExceededError */
export async function createApiKey(
  dependencies: Dependencies,
  { organisationId, memberId, permissions }: GrantingCaller,
  { name, permissionIds, expiresAt }: Pick<ApiKey, "name" | "permissionIds" | "expiresAt">,
): Promise<NewApiKey> {
  const { apiKeys, organisations, quotas, outbox, transaction, catalogue, clock } = dependencies;
  assertNone([...unknownPermissions(catalogue, permissionIds), ...expiryProblems(expiresAt, clock())]);
  assertMayGrant(permissions, permissionIds);
  return transaction(async (session) => {
    await organisations.lock(organisationId, session);
    const policy = await organisations.apiKeyPolicy(organisationId, session);
    const wish = { expiresAt, now: clock() };
    assertNone(lifetimeProblems(policy, wish));
    const scope = { permissionIds: unique(permissionIds), expiresAt: endUnder(policy, wish) };
    const made = newApiKey(dependencies, { organisationId, name, ...scope, createdByMemberId: memberId });
    await quotas.admit(organisationId, { api_keys: 1 }, session);
    await apiKeys.insert(organisationId, made, session);
    await outbox.stage(session, apiKeyCreated(made.apiKey, made.apiKey.createdAt));
    return made;
  });
}
