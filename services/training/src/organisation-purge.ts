import { TrainingOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { eventRecord } from "@aiplatform/event-stream";
import type { DomainPlatform, PurgeParts } from "@aiplatform/service-kit";
import { create } from "@bufbuild/protobuf";

/**
 * What training does for a deleted organisation besides removing its documents: its trainers and watchers have lost their
 * credentials with the suspension, so that nothing of it runs here.
 */
export function purgeOfTraining({ outbox, clock }: Pick<DomainPlatform, "outbox" | "clock">): PurgeParts {
  return {
    async purged(organisationId, session) {
      const message = create(TrainingOrganisationPurgedSchema, { organisationId });
      const facts = { organisationId, entityId: organisationId, time: clock(), tellsOfDeletion: true } as const;
      await outbox.stage(session, eventRecord(TrainingOrganisationPurgedSchema, message, facts));
    },
  };
}
