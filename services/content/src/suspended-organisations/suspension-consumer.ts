import {
  OrganisationRestoredSchema,
  OrganisationSuspendedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject, eventType } from "@aiplatform/event-stream";
import type { ScheduleStore } from "../automation-schedules/schedule-store.ts";
import type { SuspendedOrganisationStore } from "./suspended-organisation-store.ts";

interface Dependencies {
  stream: EventStream;
  store: DocumentStore;
  suspendedOrganisations: SuspendedOrganisationStore;
  schedules: Pick<ScheduleStore, "activateFrom">;
  /** The database's clock. */
  now: () => Date;
}

/** Keeps which organisations are suspended, and that due times of their schedules meanwhile start no run later either. */
export function consumeSuspensions(dependencies: Dependencies): Consumer {
  const { stream, store, suspendedOrganisations, schedules, now } = dependencies;
  return stream.consume({
    durable: "content-suspended-organisations",
    subjects: [eventSubject(OrganisationSuspendedSchema), eventSubject(OrganisationRestoredSchema)],
    store,
    handler: async ({ type, data }, session) => {
      const suspended = type === eventType(OrganisationSuspendedSchema);
      const schema = suspended ? OrganisationSuspendedSchema : OrganisationRestoredSchema;
      const { organisationId, revision } = decodeEvent(schema, data);
      await suspendedOrganisations.put(organisationId, { suspended, revision }, session);
      if (!suspended) await schedules.activateFrom(organisationId, now(), session);
    },
  });
}
