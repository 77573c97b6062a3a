import {
  type LiveLifecycle,
  LiveLifecycleSchema,
  type LiveMetrics,
  LiveMetricsSchema,
  LiveStatus,
  type MetricSeries as MetricSeriesMessage,
  MetricSeriesSchema,
} from "@aiplatform/contract/aiplatform/training/v1/live_metrics";
import { MetricGoal } from "@aiplatform/contract/aiplatform/training/v1/runs";
import {
  HeartbeatSource as HeartbeatSourceMessage,
  LifecyclePhase,
  PhaseStatus as PhaseStatusMessage,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { activeSegmentIndex } from "../job-log/job-snapshot.ts";
import type { HeartbeatSource, PhaseName, PhaseStatus } from "../metric-reports/report.ts";
import type { JobLive } from "./job-live.ts";
import { type MetricsQuery, maxPointsOf, wanted } from "./metric-documents.ts";
import type { MetricSeries, SeriesQuery } from "./metric-series.ts";
import { type PrimaryMetricView, primaryMetricOf } from "./primary-metric.ts";
import type { ReportedStatus } from "./reported-status.ts";
import { present, seconds, segmentMessage } from "./run-metrics-message.ts";
import { lifecycleOf, statusOf, type ViewSources } from "./run-view.ts";

type LiveMetricsInit = MessageInitShape<typeof LiveMetricsSchema>;

/** The same as REST shows, as typed messages. */
export function liveMetrics(sources: ViewSources, query: MetricsQuery): LiveMetrics {
  const { found, run, job } = sources;
  const live = run.jobs.get(found.job.name);
  const primary = primaryMetricOf(found.job.primaryMetric, live, job.checkpoints);
  return create(LiveMetricsSchema, {
    status: statuses[statusOf(sources).status],
    lifecycle: lifecycleMessage(sources, live),
    sequence: run.sequence,
    ...(run.updatedAt ? { updatedAt: timestampFromDate(run.updatedAt) } : {}),
    ...(live ? columnsOf(live, query) : {}),
    ...(primary ? { primaryMetric: primaryMetricMessage(primary) } : {}),
    activeSegment: activeSegmentIndex(job),
    segments: job.segments.map((segment) => segmentMessage(segment, live)),
    ...(live?.resources ? { resources: resourcesMessage(live.resources) } : {}),
  });
}

function columnsOf(live: JobLive, query: MetricsQuery): Pick<LiveMetricsInit, "metrics" | "series"> {
  const asked = [...wanted(live, query.names)];
  const metrics = asked.flatMap((series) => {
    const newest = series.newest();
    if (!newest) return [];
    const { value, step, at } = newest;
    return [{ name: series.name, value, step, observedAt: timestampFromMs(at) }];
  });
  const seriesQuery = { ...query, maxPoints: maxPointsOf(query, asked.length) };
  const series = query.maxPoints === 0 ? [] : asked.flatMap((series) => seriesMessage(series, seriesQuery));
  return { metrics, series };
}

function seriesMessage(series: MetricSeries, query: SeriesQuery): MetricSeriesMessage[] {
  const selection = series.select(query);
  if (!selection) return [];
  const { points, stretches, chosen, sampled } = selection;
  const message = create(MetricSeriesSchema, { name: series.name, sampled });
  let stretch = 0;
  for (const index of chosen) {
    while (index >= (stretches[stretch + 1]?.from ?? Number.POSITIVE_INFINITY)) stretch++;
    message.steps.push(points.steps[index] ?? 0);
    message.values.push(points.values[index] ?? Number.NaN);
    message.segments.push(stretches[stretch]?.segment ?? 0);
  }
  return [message];
}

function lifecycleMessage(sources: ViewSources, live: JobLive | undefined): LiveLifecycle {
  const { heartbeat, latestLog } = live ?? {};
  const { currentPhase, phaseStartedAt, elapsedMs, phases } = lifecycleOf(sources);
  return create(LiveLifecycleSchema, {
    currentPhase: phaseMessages[currentPhase],
    ...present("phaseStartedAt", phaseStartedAt),
    elapsedSeconds: seconds(elapsedMs),
    ...present("heartbeatAt", heartbeat?.at),
    ...(heartbeat ? { heartbeatSource: heartbeatSources[heartbeat.source] } : {}),
    ...(latestLog ? { latestLog: { ...latestLog, timestamp: timestampFromMs(latestLog.at) } } : {}),
    phases: phases.map(({ name, status, startedAt, finishedAt, elapsedMs }) => ({
      phase: phaseMessages[name],
      status: phaseStatuses[status],
      ...present("startedAt", startedAt),
      ...present("finishedAt", finishedAt),
      elapsedSeconds: seconds(elapsedMs),
    })),
  });
}

function primaryMetricMessage(primary: PrimaryMetricView): NonNullable<LiveMetricsInit["primaryMetric"]> {
  const { name, goal, newest, best, bestCheckpointId } = primary;
  return {
    name,
    goal: goal === "maximize" ? MetricGoal.MAXIMIZE : MetricGoal.MINIMIZE,
    ...(newest ? { value: newest.value, step: newest.step } : {}),
    ...(best ? { bestValue: best.value, bestStep: best.step } : {}),
    ...(bestCheckpointId === undefined ? {} : { bestCheckpointId }),
  };
}

function resourcesMessage({
  devices,
  deviceMemory,
  cpu,
  memory,
  at,
}: NonNullable<JobLive["resources"]>): NonNullable<LiveMetricsInit["resources"]> {
  return {
    devices: [...devices],
    ...(deviceMemory === undefined ? {} : { deviceMemory }),
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
    ...present("observedAt", at),
  };
}

const statuses: Record<ReportedStatus, LiveStatus> = {
  queued: LiveStatus.QUEUED,
  preparing: LiveStatus.PREPARING,
  running: LiveStatus.RUNNING,
  held: LiveStatus.HELD,
  pausing: LiveStatus.PAUSING,
  paused: LiveStatus.PAUSED,
  restoring: LiveStatus.RESTORING,
  finishing: LiveStatus.FINISHING,
  aborting: LiveStatus.ABORTING,
  completed: LiveStatus.COMPLETED,
  failed: LiveStatus.FAILED,
  aborted: LiveStatus.ABORTED,
  stalled: LiveStatus.STALLED,
  lost: LiveStatus.LOST,
};

const phaseMessages: Record<PhaseName, LifecyclePhase> = {
  queued: LifecyclePhase.QUEUED,
  preparing: LifecyclePhase.PREPARING,
  training: LifecyclePhase.TRAINING,
  evaluating: LifecyclePhase.EVALUATING,
  checkpointing: LifecyclePhase.CHECKPOINTING,
  finalizing: LifecyclePhase.FINALIZING,
};

const phaseStatuses: Record<PhaseStatus, PhaseStatusMessage> = {
  pending: PhaseStatusMessage.PENDING,
  running: PhaseStatusMessage.RUNNING,
  paused: PhaseStatusMessage.PAUSED,
  completed: PhaseStatusMessage.COMPLETED,
  failed: PhaseStatusMessage.FAILED,
  skipped: PhaseStatusMessage.SKIPPED,
};

const heartbeatSources: Record<HeartbeatSource, HeartbeatSourceMessage> = {
  trainer: HeartbeatSourceMessage.TRAINER,
  runner: HeartbeatSourceMessage.RUNNER,
  scheduler: HeartbeatSourceMessage.SCHEDULER,
};
