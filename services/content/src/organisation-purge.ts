import { ContentOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { eventRecord } from "@aiplatform/event-stream";
import type { DomainPlatform, PurgeParts } from "@aiplatform/service-kit";
import { create } from "@bufbuild/protobuf";
import type { SuspendedOrganisationStore } from "./suspended-organisations/suspended-organisation-store.ts";

interface Dependencies extends Pick<DomainPlatform, "outbox" | "clock"> {
  suspendedOrganisations: SuspendedOrganisationStore;
}

/**
 * What content does for a deleted organisation besides removing its documents. Its automations and e-mails wait meanwhile
 * (`waitingOrganisations`), and a sender or an executor whose document is gone has lost its lease.
 */
export function purgeOfContent({ outbox, clock, suspendedOrganisations }: Dependencies): PurgeParts {
  return {
    async purged(organisationId, session) {
      await suspendedOrganisations.forget(organisationId, session);
      const message = create(ContentOrganisationPurgedSchema, { organisationId });
      const facts = { organisationId, entityId: organisationId, time: clock(), tellsOfDeletion: true } as const;
      await outbox.stage(session, eventRecord(ContentOrganisationPurgedSchema, message, facts));
    },
  };
}
