import type { DocumentStore } from "@aiplatform/document-store";
import { Quotas, type QuotasConfig } from "@aiplatform/quotas";
import type { EmailDraftStore } from "./email-drafts/email-draft-store.ts";

export type ContentQuotas = Quotas<"email_drafts">;

/** What organisations may have of what this service keeps. */
export function contentQuotas(
  store: DocumentStore,
  { emailDrafts }: { emailDrafts: EmailDraftStore },
  config: QuotasConfig,
): ContentQuotas {
  return new Quotas(store, {
    config,
    usage: { email_drafts: (organisationId, session) => emailDrafts.countUnsent(organisationId, session) },
  });
}
