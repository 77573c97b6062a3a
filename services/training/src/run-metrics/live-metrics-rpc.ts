import { callerOf } from "@aiplatform/caller-identity";
import {
  type GetLiveMetricsRequest,
  LiveMetricsService,
} from "@aiplatform/contract/aiplatform/training/v1/live_metrics";
import { waitWithin } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import { liveMetrics } from "./live-metrics-message.ts";
import type { MetricsQuery } from "./metric-documents.ts";
import { type ReadRunMetricsDependencies, readRunMetrics } from "./read-run-metrics.ts";
import { watchRunMetrics } from "./watch-run-metrics.ts";

/** What both requests say about the points wanted; a watcher cannot ask for all of it. */
type QueryFields = Pick<GetLiveMetricsRequest, "metrics" | "maxPoints" | "afterSequence"> &
  Partial<Pick<GetLiveMetricsRequest, "segment" | "includeArchived">>;

export function liveMetricsRoutes(router: ConnectRouter, dependencies: ReadRunMetricsDependencies): void {
  router.service(LiveMetricsService, {
    async getLiveMetrics(request, context) {
      const { organisationId } = callerOf(context);
      const query = queryOf(request);
      const waitMs = waitWithin(context, request.waitSeconds * 1_000);
      const wait = { afterSequence: query.afterSequence, waitMs, signal: context.signal };
      const sources = await readRunMetrics(dependencies, organisationId, request, wait);
      return { metrics: liveMetrics(sources, query) };
    },
    async *watchLiveMetrics(request, context) {
      const { organisationId } = callerOf(context);
      const watching = { query: queryOf(request), signal: context.signal };
      const changes = watchRunMetrics(dependencies, organisationId, request, watching);
      for await (const { sources, query } of changes) yield { metrics: liveMetrics(sources, query) };
    },
  });
}

function queryOf({ metrics, maxPoints, afterSequence, segment, includeArchived = false }: QueryFields): MetricsQuery {
  return {
    names: metrics,
    ...(maxPoints === undefined ? {} : { maxPoints }),
    afterSequence,
    ...(segment === undefined ? {} : { segment }),
    includeArchived,
  };
}
