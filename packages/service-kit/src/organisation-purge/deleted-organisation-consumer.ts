import { OrganisationDeletionRequestedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { type Consumer, eventSubject } from "@aiplatform/event-stream";
import type { DomainPlatform } from "../start-domain-service.ts";

/** Begins the purge of each organisation that identity has deleted. */
export function consumeDeletedOrganisations(
  { stream, store, purges }: Pick<DomainPlatform, "stream" | "store" | "purges">,
  service: string,
): Consumer {
  return stream.consume({
    durable: `${service}-deleted-organisations`,
    subjects: [eventSubject(OrganisationDeletionRequestedSchema)],
    store,
    handler: ({ organisationId }, session) => purges.begin(organisationId, session),
  });
}
