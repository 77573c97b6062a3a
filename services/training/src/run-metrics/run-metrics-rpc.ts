import { callerOf } from "@aiplatform/caller-identity";
import type {
  GetRunMetricsRequest,
  RunMetricsService,
  WatchRunMetricsRequest,
} from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { MetricsWish } from "./metric-documents.ts";
import { type ReadDependencies, type RunAddress, readRunMetrics } from "./read-run-metrics.ts";
import { watchRunMetrics } from "./watch-run-metrics.ts";

const defaultPoints = 500;

/** What both requests say about the points wanted; a watcher cannot ask for all of it. */
type WishFields = Pick<GetRunMetricsRequest, "metric" | "maxPoints" | "afterSequence"> &
  Partial<Pick<GetRunMetricsRequest, "segment" | "includeArchived">>;

/** Live metrics over RPC. */
export function runMetricsRpc(dependencies: ReadDependencies): ServiceImpl<typeof RunMetricsService> {
  return {
    async getRunMetrics(request, context) {
      const wait = { waitMs: (request.waitSeconds ?? 0) * 1000, signal: context.signal };
      const view = await readRunMetrics(dependencies, addressOf(request, context), wishOf(request), wait);
      context.responseHeader.set("etag", view.tag);
      // Worth keeping only to ask whether it still holds.
      context.responseHeader.set("cache-control", "private, no-cache");
      return { metrics: view.metrics };
    },
    async *watchRunMetrics(request, context) {
      const wish = { ...wishOf(request), afterSequence: startOf(request) };
      const views = watchRunMetrics(dependencies, addressOf(request, context), wish, context.signal);
      for await (const metrics of views) yield { metrics };
    },
  };
}

function addressOf(request: GetRunMetricsRequest | WatchRunMetricsRequest, context: HandlerContext): RunAddress {
  const { organisationId } = callerOf(context);
  return { organisationId, pipelineId: request.pipelineId, runId: request.runId, jobName: request.jobName };
}

function wishOf(request: WishFields): MetricsWish {
  return {
    names: request.metric,
    maxPoints: request.maxPoints ?? defaultPoints,
    afterSequence: Number(request.afterSequence ?? 0n),
    ...(request.segment === undefined ? {} : { segment: Number(request.segment) }),
    includeArchived: request.includeArchived ?? false,
  };
}

/** Where a watcher goes on: after the event it had last. An id that we never gave out starts from the whole. */
function startOf({ afterSequence = 0n, lastEventId }: WatchRunMetricsRequest): number {
  if (lastEventId === undefined || lastEventId === "") return Number(afterSequence);
  return /^\d{1,10}$/.test(lastEventId) ? Number(lastEventId) : 0;
}
