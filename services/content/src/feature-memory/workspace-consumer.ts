import { WorkspaceDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { OperationContext } from "../operation-context.ts";
import { featureUsageDeleted } from "./feature-events.ts";
import type { FeatureUsageStore } from "./feature-usage-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "clock"> {
  featureUsages: FeatureUsageStore;
}

/** Ends the uses that are said of workspaces when a workspace is gone: what does not exist holds up no deletion. */
export function endUsesOfWorkspaces({
  stream,
  store,
  featureUsages,
  outbox,
  clock,
}: Dependencies & { stream: EventStream; store: DocumentStore }): Consumer {
  return stream.consume({
    durable: "content-uses-of-workspaces",
    subjects: [eventSubject(WorkspaceDeletedSchema)],
    store,
    handler: async ({ data }, session) => {
      const { organisationId, workspaceId: assetId } = decodeEvent(WorkspaceDeletedSchema, data);
      const asset = { assetType: "workspace", assetId };
      const usages = await featureUsages.ofAsset(organisationId, asset, session);
      await featureUsages.deleteOfAsset(organisationId, asset, session);
      const time = clock();
      await outbox.stage(session, ...usages.map((usage) => featureUsageDeleted(usage, time)));
    },
  });
}
