import { FeatureDeprecatedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { EmailDraftStore } from "../email-drafts/email-draft-store.ts";
import type { OperationContext } from "../operation-context.ts";
import type { AutomationStore } from "./automation-store.ts";
import { notifyOwners } from "./notify-owners.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "clock" | "newId"> {
  automations: AutomationStore;
  emailDrafts: EmailDraftStore;
}

/** Notifies the owners of automations that a feature they use is deprecated, once, however often the event arrives. */
export function notifyOwnersOfDeprecations({
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
      await notifyOwners(dependencies, { organisationId, automationIds, ...deprecation }, session);
    },
  });
}
