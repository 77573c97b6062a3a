import { DeploymentDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { WorkspaceDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { ClientSession, DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { OperationContext } from "../operation-context.ts";
import { featureUsageDeleted } from "./feature-events.ts";
import type { UsingAsset } from "./feature-usage.ts";
import type { FeatureUsageStore } from "./feature-usage-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "clock"> {
  featureUsages: FeatureUsageStore;
}

interface ConsumerDependencies extends Dependencies {
  stream: EventStream;
  store: DocumentStore;
}

/** Ends the uses that are said of workspaces when a workspace is gone: what does not exist holds up no deletion. */
export function endUsesOfWorkspaces(dependencies: ConsumerDependencies): Consumer {
  const { stream, store } = dependencies;
  return stream.consume({
    durable: "content-uses-of-workspaces",
    subjects: [eventSubject(WorkspaceDeletedSchema)],
    store,
    handler: ({ data }, session) => {
      const { organisationId, workspaceId: assetId } = decodeEvent(WorkspaceDeletedSchema, data);
      return endUses(dependencies, organisationId, { assetType: "workspace", assetId }, session);
    },
  });
}

/** Does the same for deployments. */
export function endUsesOfDeployments(dependencies: ConsumerDependencies): Consumer {
  const { stream, store } = dependencies;
  return stream.consume({
    durable: "content-uses-of-deployments",
    subjects: [eventSubject(DeploymentDeletedSchema)],
    store,
    handler: ({ data }, session) => {
      const { organisationId, deploymentId: assetId } = decodeEvent(DeploymentDeletedSchema, data);
      return endUses(dependencies, organisationId, { assetType: "deployment", assetId }, session);
    },
  });
}

async function endUses(
  { featureUsages, outbox, clock }: Dependencies,
  organisationId: string,
  asset: UsingAsset,
  session: ClientSession,
): Promise<void> {
  const usages = await featureUsages.ofAsset(organisationId, asset, session);
  await featureUsages.deleteOfAsset(organisationId, asset, session);
  const time = clock();
  await outbox.stage(session, ...usages.map((usage) => featureUsageDeleted(usage, time)));
}
