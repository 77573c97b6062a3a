import { DataOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/data";
import { eventRecord } from "@aiplatform/event-stream";
import type { DomainPlatform, PurgeParts } from "@aiplatform/service-kit";
import { create } from "@bufbuild/protobuf";

/** What the service does for a deleted organisation besides removing its documents. */
export function purgeOfData({ outbox, clock }: Pick<DomainPlatform, "outbox" | "clock">): PurgeParts {
  return {
    async purged(organisationId, session) {
      const message = create(DataOrganisationPurgedSchema, { organisationId });
      const facts = { organisationId, entityId: organisationId, time: clock(), tellsOfDeletion: true } as const;
      await outbox.stage(session, eventRecord(DataOrganisationPurgedSchema, message, facts));
    },
  };
}
