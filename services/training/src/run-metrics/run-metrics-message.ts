import {
  type RunLifecycle,
  RunLifecycleSchema,
  type RunLiveMetrics,
  RunLiveMetricsSchema,
  type RunSegment,
  RunSegmentSchema,
  SegmentKind as SegmentKindMessage,
} from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { SegmentKind } from "../job-log/job-entry.ts";
import { activeSegmentIndex, type Segment } from "../job-log/job-snapshot.ts";
import type { JobLive } from "./job-live.ts";
import { type MetricDocumentCache, type MetricsQuery, resourcesJson } from "./metric-documents.ts";
import { primaryMetricJson, primaryMetricOf } from "./primary-metric.ts";
import { lifecycleOf, statusOf, type ViewSources } from "./run-view.ts";

const schemaVersion = "training-metrics.v3";

export function runLiveMetrics(sources: ViewSources, query: MetricsQuery, cache: MetricDocumentCache): RunLiveMetrics {
  const { found, run, job } = sources;
  const live = run.jobs.get(found.job.name);
  const documents = cache.render(`${found.run.id}/${found.job.name}/${JSON.stringify(query)}`, live, query);
  const primary = primaryMetricJson(primaryMetricOf(found.job.primaryMetric, live, job.checkpoints));
  return create(RunLiveMetricsSchema, {
    status: statusOf(sources).status,
    lifecycle: lifecycleMessage(sources, live),
    schemaVersion,
    sequence: run.sequence,
    ...(run.updatedAt ? { updatedAt: timestampFromDate(run.updatedAt) } : {}),
    metrics: { utf8: documents.metrics },
    series: { utf8: documents.series },
    primaryMetric: { utf8: Buffer.from(primary) },
    activeSegment: activeSegmentIndex(job),
    segments: job.segments.map((segment) => segmentMessage(segment, live)),
    resources: { utf8: Buffer.from(resourcesJson(live?.resources)) },
  });
}

function lifecycleMessage(sources: ViewSources, live: JobLive | undefined): RunLifecycle {
  const { heartbeat, latestLog } = live ?? {};
  const { currentPhase, phaseStartedAt, elapsedMs, phases } = lifecycleOf(sources);
  return create(RunLifecycleSchema, {
    currentPhase,
    ...present("phaseStartedAt", phaseStartedAt),
    elapsedSeconds: seconds(elapsedMs),
    ...present("heartbeatAt", heartbeat?.at),
    ...(heartbeat ? { heartbeatSource: heartbeat.source } : {}),
    ...(latestLog ? { latestLog: { ...latestLog, timestamp: timestampFromMs(latestLog.at) } } : {}),
    phases: phases.map(({ name, status, startedAt, finishedAt, elapsedMs }) => ({
      name,
      status,
      ...present("startedAt", startedAt),
      ...present("finishedAt", finishedAt),
      elapsedSeconds: seconds(elapsedMs),
    })),
  });
}

const segmentKinds: Record<SegmentKind, SegmentKindMessage> = {
  initial: SegmentKindMessage.INITIAL,
  resume: SegmentKindMessage.RESUME,
  rollback: SegmentKindMessage.ROLLBACK,
  warm_restart: SegmentKindMessage.WARM_RESTART,
};

export function segmentMessage(segment: Segment, live: JobLive | undefined): RunSegment {
  const { startedAt, endedAt, overrides, kind, endStep, ...rest } = segment;
  const newestStep = endStep ?? live?.newestStep(segment.index);
  return create(RunSegmentSchema, {
    ...rest,
    kind: segmentKinds[kind],
    ...(newestStep === undefined ? {} : { endStep: newestStep }),
    overrides: { text: overrides },
    startedAt: timestampFromDate(startedAt),
    ...(endedAt ? { endedAt: timestampFromDate(endedAt) } : {}),
  });
}

export function present<Key extends string>(key: Key, ms: number | undefined): { [name in Key]?: Timestamp } {
  if (ms === undefined) return {};
  return { [key]: timestampFromMs(ms) } as { [name in Key]: Timestamp };
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
