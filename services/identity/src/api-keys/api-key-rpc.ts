import { callerOf } from "@aiplatform/caller-identity";
import {
  type ApiKey as ApiKeyMessage,
  ApiKeySchema,
  ApiKeyService,
} from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import { optionalTimestamp } from "../timestamps.ts";
import type { ApiKey } from "./api-key.ts";
import { createApiKey } from "./create-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

/** Serves ApiKeyService. */
export function apiKeyRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  router.service(ApiKeyService, {
    async createApiKey({ name = "", permissionIds, expiresAt }, context) {
      const wanted = { name, permissionIds, expiresAt: expiresAt && timestampDate(expiresAt) };
      const { apiKey, secret } = await createApiKey(dependencies, callerOf(context), wanted);
      return { apiKey: apiKeyMessage(apiKey), secret };
    },
    async listApiKeys(_, context) {
      const apiKeys = await dependencies.apiKeys.list(callerOf(context).organisationId);
      return { apiKeys: apiKeys.map(apiKeyMessage) };
    },
    async revokeApiKey({ apiKeyId }, context) {
      const apiKey = await revokeApiKey(dependencies, callerOf(context).organisationId, apiKeyId.toLowerCase());
      return { apiKey: apiKeyMessage(apiKey) };
    },
  });
}

/** What may be known of a key. */
export function apiKeyMessage(apiKey: ApiKey): ApiKeyMessage {
  const { id, organisationId, name, lastFour, permissionIds, createdAt, expiresAt, lastUsedAt, revokedAt } = apiKey;
  return create(ApiKeySchema, {
    id,
    organisationId,
    name,
    lastFour,
    permissionIds,
    createdAt: timestampFromDate(createdAt),
    ...optionalTimestamp("expiresAt", expiresAt),
    ...optionalTimestamp("lastUsedAt", lastUsedAt),
    ...optionalTimestamp("revokedAt", revokedAt),
  });
}
