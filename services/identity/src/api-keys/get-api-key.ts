import type { IdentityDependencies } from "../dependencies.ts";
import { type ApiKey, ApiKeyNotFoundError } from "./api-key.ts";

/** One key. Throws ApiKeyNotFoundError. */
export async function getApiKey(
  { apiKeys }: Pick<IdentityDependencies, "apiKeys">,
  organisationId: string,
  id: string,
): Promise<ApiKey> {
  const apiKey = await apiKeys.find(organisationId, id);
  if (!apiKey) throw new ApiKeyNotFoundError(id);
  return apiKey;
}
