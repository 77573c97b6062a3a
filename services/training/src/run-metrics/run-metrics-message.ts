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
import { activeSegmentIndex, type JobSnapshot, type Segment } from "../job-log/job-snapshot.ts";
import { isEnded } from "../job-log/job-state.ts";
import type { DirectoryEntry } from "../runs/job-directory.ts";
import type { JobLive } from "./job-live.ts";
import { currentPhaseOf, phasesOf } from "./lifecycle.ts";
import { type MetricDocumentCache, type MetricsQuery, resourcesJson } from "./metric-documents.ts";
import { activeTime, pausesBetween } from "./phase-clock.ts";
import { primaryMetricJson } from "./primary-metric.ts";
import { reportedStatus } from "./reported-status.ts";
import type { RunLive } from "./run-live.ts";

export interface ViewSources {
  found: DirectoryEntry;
  run: RunLive;
  job: JobSnapshot;
  now: Date;
}

const schemaVersion = "training-metrics.v3";

/** The job's status at that time, and when it changes by silence alone (milliseconds since 1970). */
export function statusOf({ found, run, job, now }: ViewSources) {
  const live = run.jobs.get(found.job.name);
  const { stallTimeoutSeconds, heartbeatTimeoutSeconds } = found.job;
  const signs = {
    state: job.state,
    stateSince: job.stateSince?.getTime() ?? 0,
    lastSeenAt: Math.max(live?.lastSeenAt ?? 0, job.trainerSeenAt?.getTime() ?? 0),
    progressAt: live?.progressAt ?? 0,
    stallTimeoutSeconds,
    heartbeatTimeoutSeconds,
  };
  return reportedStatus(signs, now.getTime());
}

export function runLiveMetrics(sources: ViewSources, query: MetricsQuery, cache: MetricDocumentCache): RunLiveMetrics {
  const { found, run, job } = sources;
  const live = run.jobs.get(found.job.name);
  const documents = cache.render(`${found.run.id}/${found.job.name}/${JSON.stringify(query)}`, live, query);
  const primary = primaryMetricJson(found.job.primaryMetric, live, job.checkpoints);
  return create(RunLiveMetricsSchema, {
    status: statusOf(sources).status,
    lifecycle: lifecycleOf(sources, live),
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

function lifecycleOf({ found, job, now }: ViewSources, live: JobLive | undefined): RunLifecycle {
  const { heartbeat, latestLog } = live ?? {};
  const facts = {
    state: job.state,
    phases: live?.phases ?? new Map(),
    currentPhase: live?.currentPhase,
    pauses: pausesBetween(job.segments),
    createdAt: found.run.createdAt.getTime(),
    firstSeenAt: live?.firstSeenAt,
    endedAt: isEnded(job.state) ? job.stateSince?.getTime() : undefined,
  };
  const current = currentPhaseOf(facts);
  const phases = phasesOf(facts, now.getTime());
  const elapsed = activeTime(job.segments, facts.endedAt ?? now.getTime());
  return create(RunLifecycleSchema, {
    currentPhase: current,
    ...present(
      "phaseStartedAt",
      live?.phases.get(current)?.enteredAt ?? phases.find(({ name }) => name === current)?.startedAt,
    ),
    elapsedSeconds: seconds(elapsed),
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

function segmentMessage(segment: Segment, live: JobLive | undefined): RunSegment {
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

function present<Key extends string>(key: Key, ms: number | undefined): { [name in Key]?: Timestamp } {
  if (ms === undefined) return {};
  return { [key]: timestampFromMs(ms) } as { [name in Key]: Timestamp };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
