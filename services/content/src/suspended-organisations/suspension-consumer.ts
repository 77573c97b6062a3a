import {
  OrganisationRestoredSchema,
  OrganisationSuspendedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject, eventType } from "@aiplatform/event-stream";
import type { SuspendedOrganisationStore } from "./suspended-organisation-store.ts";

interface Dependencies {
  stream: EventStream;
  store: DocumentStore;
  suspendedOrganisations: SuspendedOrganisationStore;
}

/** Keeps which organisations are suspended. */
export function consumeSuspensions({ stream, store, suspendedOrganisations }: Dependencies): Consumer {
  return stream.consume({
    durable: "content-suspended-organisations",
    subjects: [eventSubject(OrganisationSuspendedSchema), eventSubject(OrganisationRestoredSchema)],
    store,
    handler: async ({ type, data }, session) => {
      const suspended = type === eventType(OrganisationSuspendedSchema);
      const schema = suspended ? OrganisationSuspendedSchema : OrganisationRestoredSchema;
      const { organisationId, revision } = decodeEvent(schema, data);
      await suspendedOrganisations.put(organisationId, { suspended, revision }, session);
    },
  });
}
