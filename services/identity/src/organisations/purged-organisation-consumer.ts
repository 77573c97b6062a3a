import { ContentOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { DataOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/data";
import { DeploymentsOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { TrainingOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, type EventStream, eventSubject } from "@aiplatform/event-stream";
import { purgingServiceOf } from "./organisation-deletion.ts";
import type { OrganisationStore } from "./organisation-store.ts";

interface Dependencies {
  stream: Pick<EventStream, "consume">;
  store: DocumentStore;
  organisations: OrganisationStore;
}

const schemas = [
  ContentOrganisationPurgedSchema,
  DataOrganisationPurgedSchema,
  DeploymentsOrganisationPurgedSchema,
  TrainingOrganisationPurgedSchema,
];

/** Keeps which services have removed what they kept of a deleted organisation. */
export function consumePurgedOrganisations({ stream, store, organisations }: Dependencies): Consumer {
  return stream.consume({
    durable: "identity-purged-organisations",
    subjects: schemas.map((schema) => eventSubject(schema)),
    store,
    hearsOfDeleted: true,
    handler: async ({ type, organisationId, time }, session) => {
      const service = purgingServiceOf(type);
      if (service) await organisations.setPurged(organisationId, service, time, session);
    },
  });
}
