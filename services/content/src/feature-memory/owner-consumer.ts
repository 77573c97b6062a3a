import { FeatureDeprecatedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { ContentDependencies } from "../dependencies.ts";
import { tellOwners } from "./tell-owners.ts";

type Dependencies = Pick<ContentDependencies, "automations" | "emailDrafts" | "outbox" | "clock" | "newId">;

/** Tells the owners of automations that a feature they use is deprecated, once, however often the event arrives. */
export function tellOwnersOfAutomations({
  stream,
  store,
  ...dependencies
}: Dependencies & { stream: EventStream; store: DocumentStore }): Consumer {
  return stream.consume({
    durable: "content-told-owners",
    subjects: [eventSubject(FeatureDeprecatedSchema)],
    store,
    handler: async ({ data }, session) => {
      const { organisationId, featureKey, replacementKey, automationIds } = decodeEvent(FeatureDeprecatedSchema, data);
      const deprecation = { featureKey, replacementKey: replacementKey === "" ? undefined : replacementKey };
      await tellOwners(dependencies, { organisationId, automationIds, ...deprecation }, session);
    },
  });
}
