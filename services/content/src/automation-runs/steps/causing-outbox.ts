import type { EventCause } from "@aiplatform/document-store";
import type { ContentDependencies } from "../../dependencies.ts";

type EventOutbox = ContentDependencies["outbox"];

/** The outbox for what a step does: no call is being served that would say who caused it. */
export function causingOutbox({ outbox }: { outbox: EventOutbox }, cause: EventCause): EventOutbox {
  return {
    stage: (session, ...records) => outbox.stage(session, ...records.map((record) => ({ ...record, cause }))),
  };
}
