import { ListCheckpointsRequestSchema } from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import type { Page } from "@aiplatform/document-store";
import { type ListPageRequest, ListQuery, type ListSelection } from "@aiplatform/list-filter";
import type { Checkpoint } from "../job-log/job-entry.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobAddress, JobDirectory } from "../runs/job-directory.ts";

export interface ListCheckpointsDependencies {
  directory: JobDirectory;
  logs: JobLogs;
}

const checkpointList = new ListQuery(ListCheckpointsRequestSchema, {
  bindings: {
    id: "_id",
    segment_index: "segmentIndex",
    size_bytes: "sizeBytes",
    created_at: "createdAt",
    pruned_at: "prunedAt",
    verified_at: "verified.at",
    verification: "verified.outcome",
    metrics: { entries: "metrics", keyName: "name" },
  },
  defaultSort: [["position", -1, "number"]],
});

/**
 * A page of a job's checkpoints. They are in memory, as part of the job's state.
 * @throws JobNotFoundError, InvalidListRequestError, InvalidCursorError
 */
export async function listCheckpoints(
  { directory, logs }: ListCheckpointsDependencies,
  organisationId: string,
  address: JobAddress,
  request: ListPageRequest,
): Promise<Page<Checkpoint>> {
  const { reference } = await directory.get(organisationId, address);
  const { checkpoints } = await logs.currentState(reference);
  const selection = checkpointList.read(request);
  const found = selection.among(listed(checkpoints, selection), request.cursor);
  return selection.page(found, request);
}

/** Those of a job's checkpoints that a filter of the list finds, oldest first. @throws InvalidListRequestError */
export function readCheckpointFilter(filter: string): (checkpoints: readonly Checkpoint[]) => Checkpoint[] {
  const selection = checkpointList.read({ filter, orderBy: "position asc" });
  return (checkpoints) => selection.among(listed(checkpoints, selection), "");
}

/** Checkpoints with what lists order them by; without those that have no value of the metric that is the order. */
function listed(checkpoints: readonly Checkpoint[], { order }: ListSelection) {
  const named = checkpoints.map((checkpoint, position) => ({ ...checkpoint, _id: checkpoint.id, position }));
  if (!order?.field.isMap) return named;
  return named.flatMap((each) => {
    const metric = each.metrics.find(({ name }) => name === order.key);
    return metric && Number.isFinite(metric.value) ? [{ ...each, value: metric.value }] : [];
  });
}
