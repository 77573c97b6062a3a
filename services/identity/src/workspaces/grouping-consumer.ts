import { WorkspaceGroupingRequestedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import { type GroupingDependencies, runGrouping } from "./run-grouping.ts";

/**
 * Does the runs that are asked for. A run writes in transactions of its own rather than the event's, because `running` must be
 * seen while it runs; repeating the event is harmless, since only a run that waits or was abandoned is begun.
 */
export function consumeGroupingRequests(
  dependencies: GroupingDependencies & { stream: EventStream; store: DocumentStore },
): Consumer {
  const { stream, store } = dependencies;
  return stream.consume({
    durable: "identity-grouping",
    subjects: [eventSubject(WorkspaceGroupingRequestedSchema)],
    store,
    handler: async ({ data }) => {
      const { organisationId, groupingRunId: runId } = decodeEvent(WorkspaceGroupingRequestedSchema, data);
      await runGrouping(dependencies, { organisationId, runId });
    },
  });
}
