import type { DocumentStore } from "@aiplatform/document-store";
import { Quotas, type QuotasConfig } from "@aiplatform/quotas";
import type { ApiKeyStore } from "../api-keys/api-key-store.ts";
import type { MemberStore } from "../members/member-store.ts";

export type IdentityQuotas = Quotas<"members" | "api_keys">;

/** What organisations may have of what this service keeps. */
export function identityQuotas(
  store: DocumentStore,
  { members, apiKeys, clock }: { members: MemberStore; apiKeys: ApiKeyStore; clock: () => Date },
  config: QuotasConfig,
): IdentityQuotas {
  return new Quotas(store, {
    config,
    usage: {
      members: (organisationId, session) => members.countAllowed(organisationId, session),
      api_keys: (organisationId, session) => apiKeys.countUsable(organisationId, clock(), session),
    },
  });
}
