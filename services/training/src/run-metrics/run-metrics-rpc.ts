import { callerOf } from "@aiplatform/caller-identity";
import {
  type GetRunMetricsRequest,
  RunMetricsService,
  type WatchRunMetricsRequest,
} from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { waitWithin } from "@aiplatform/service-host";
import { createBodyRenderer, isNotModified } from "@aiplatform/transcoder";
import type { ConnectRouter } from "@connectrpc/connect";
import type { MetricDocumentCache, MetricsQuery } from "./metric-documents.ts";
import { type ReadRunMetricsDependencies, readRunMetrics, tagOf } from "./read-run-metrics.ts";
import { runLiveMetrics } from "./run-metrics-message.ts";
import { watchRunMetrics } from "./watch-run-metrics.ts";

/** What both requests say about the points wanted; a watcher cannot ask for all of it. */
type QueryFields = Pick<GetRunMetricsRequest, "metric" | "maxPoints" | "afterSequence"> &
  Partial<Pick<GetRunMetricsRequest, "segment" | "includeArchived">>;

export interface RunMetricsDependencies extends ReadRunMetricsDependencies {
  documents: MetricDocumentCache;
}

export function runMetricsRoutes(router: ConnectRouter, dependencies: RunMetricsDependencies): void {
  const { documents } = dependencies;
  const rendered = createBodyRenderer(RunMetricsService.method.getRunMetrics);
  router.service(RunMetricsService, {
    async getRunMetrics(request, context) {
      const { organisationId } = callerOf(context);
      const query = queryOf(request);
      const waitMs = waitWithin(context, (request.waitSeconds ?? 0) * 1_000);
      const wait = { afterSequence: query.afterSequence, waitMs, signal: context.signal };
      const sources = await readRunMetrics(dependencies, organisationId, request, wait);
      // Worth keeping only to ask whether it still holds.
      context.responseHeader.set("cache-control", "private, no-cache");
      if (isNotModified(context, tagOf(sources, query))) return {};
      return rendered({ metrics: runLiveMetrics(sources, query, documents) }, context.requestHeader);
    },
    async *watchRunMetrics(request, context) {
      const { organisationId } = callerOf(context);
      const query = { ...queryOf(request), afterSequence: startOf(request) };
      const changes = watchRunMetrics(dependencies, organisationId, request, { query, signal: context.signal });
      for await (const { sources, query } of changes) yield { metrics: runLiveMetrics(sources, query, documents) };
    },
  });
}

function queryOf(request: QueryFields): MetricsQuery {
  return {
    names: request.metric,
    ...(request.maxPoints === undefined ? {} : { maxPoints: request.maxPoints }),
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
