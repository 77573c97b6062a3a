import { callerOf } from "@aiplatform/caller-identity";
import {
  type ApiKey as ApiKeyMessage,
  type ApiKeyPolicy as ApiKeyPolicyMessage,
  ApiKeyPolicySchema,
  ApiKeySchema,
  ApiKeyService,
} from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import { optionalTimestamp } from "../timestamps.ts";
import { type ApiKey, apiKeyPrefix } from "./api-key.ts";
import type { ApiKeyPolicy } from "./api-key-policy.ts";
import { createApiKey } from "./create-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import { setApiKeyPolicy } from "./set-api-key-policy.ts";

/** Default time for which a rotated key still works, s. */
const defaultOverlapSeconds = 86_400;

export function apiKeyRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  const { apiKeys, organisations } = dependencies;
  router.service(ApiKeyService, {
    async createApiKey({ name = "", permissionIds, expiresAt }, context) {
      const wanted = { name, permissionIds, expiresAt: expiresAt && timestampDate(expiresAt) };
      const { apiKey, secret } = await createApiKey(dependencies, callerOf(context), wanted);
      return { apiKey: apiKeyMessage(apiKey), secret };
    },
    async listApiKeys(page, context) {
      const { items, nextCursor } = await apiKeys.list(callerOf(context).organisationId, page);
      return { apiKeys: items.map(apiKeyMessage), nextCursor };
    },
    async getApiKey({ apiKeyId }, context) {
      const { organisationId } = callerOf(context);
      return { apiKey: apiKeyMessage(await apiKeys.get(organisationId, apiKeyId)) };
    },
    async rotateApiKey({ apiKeyId, overlapSeconds = defaultOverlapSeconds }, context) {
      const wanted = { apiKeyId, overlapSeconds };
      const { apiKey, secret } = await rotateApiKey(dependencies, callerOf(context), wanted);
      return { apiKey: apiKeyMessage(apiKey), secret };
    },
    async revokeApiKey({ apiKeyId }, context) {
      const apiKey = await revokeApiKey(dependencies, callerOf(context), apiKeyId);
      return { apiKey: apiKeyMessage(apiKey) };
    },
    async getApiKeyPolicy(_, context) {
      return { policy: policyMessage(await organisations.apiKeyPolicy(callerOf(context).organisationId)) };
    },
    async setApiKeyPolicy({ maxLifetimeSeconds }, context) {
      const policy = { maxLifetimeSeconds };
      await setApiKeyPolicy(dependencies, callerOf(context).organisationId, policy);
      return { policy: policyMessage(policy) };
    },
  });
}

function policyMessage({ maxLifetimeSeconds }: ApiKeyPolicy): ApiKeyPolicyMessage {
  return create(ApiKeyPolicySchema, maxLifetimeSeconds === undefined ? {} : { maxLifetimeSeconds });
}

/** A key as callers see it. */
export function apiKeyMessage(apiKey: ApiKey): ApiKeyMessage {
  const { createdAt, expiresAt, lastUsedAt, revokedAt, createdByMemberId, replacedById, ...fields } = apiKey;
  return create(ApiKeySchema, {
    ...fields,
    prefix: apiKeyPrefix,
    createdAt: timestampFromDate(createdAt),
    ...optionalTimestamp("expiresAt", expiresAt),
    ...optionalTimestamp("lastUsedAt", lastUsedAt),
    ...optionalTimestamp("revokedAt", revokedAt),
    ...(createdByMemberId === undefined ? {} : { createdByMemberId }),
    ...(replacedById === undefined ? {} : { replacedById }),
  });
}
