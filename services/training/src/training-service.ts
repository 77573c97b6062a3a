import { randomUUID } from "node:crypto";
import { CredentialChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { SupervisionLeaseService } from "@aiplatform/contract/aiplatform/training/v1/supervision_leases";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { connectDocumentStore, createIndexes, Outbox, ReplayStore } from "@aiplatform/document-store";
import {
  connectEventStream,
  createRefusalReporter,
  decodeEvent,
  type EventStream,
  eventSubject,
  outboxSource,
  startRelay,
  streamOf,
} from "@aiplatform/event-stream";
import {
  type Callers,
  currentCause,
  type Platform,
  type RunningService,
  type ServiceParts,
  startService,
} from "@aiplatform/service-host";
import type { TrainingConfig } from "./config.ts";
import { CommandMemory } from "./control-commands/command-memory.ts";
import { controlCommandRoutes } from "./control-commands/control-command-rpc.ts";
import { trainingErrors } from "./errors.ts";
import { jobLogIndexes } from "./jobs/job-log-store.ts";
import { openJobs } from "./jobs/job-part.ts";
import { sweepJobs } from "./jobs/sweep-jobs.ts";
import { metricBucketIndexes } from "./metric-reports/metric-bucket-store.ts";
import { createMetrics } from "./metrics.ts";
import { PipelineStore } from "./pipelines/pipeline-store.ts";
import { repeat } from "./repeated-work.ts";
import { runRoutes } from "./runs/run-rpc.ts";
import { runIndexes } from "./runs/run-store.ts";
import { observeSteering } from "./steering-observation.ts";
import { consumeMemberDeactivated } from "./supervision-leases/member-deactivated-consumer.ts";
import { supervisionLeaseRoutes } from "./supervision-leases/supervision-lease-rpc.ts";
import { trainerImplementation } from "./trainers/trainer-rpc.ts";

/** What may be given instead of the real thing: a clock, and how callers are known. */
export interface TrainingOverrides {
  clock?: () => Date;
  callers?: Callers;
}

/** Starts training. Rejects with one sentence when a setting or the database will not do. */
export function startTrainingService(
  config: TrainingConfig,
  overrides: TrainingOverrides = {},
): Promise<RunningService> {
  return startService({
    name: "training",
    config,
    services: [RunService, ControlCommandService, SupervisionLeaseService, TrainerService, RunMetricsService],
    errors: trainingErrors,
    ...(overrides.callers ? { callers: overrides.callers } : {}),
    start: (platform) => startParts(config, overrides.clock ? { ...platform, clock: overrides.clock } : platform),
  });
}

async function startParts(config: TrainingConfig, platform: Platform): Promise<ServiceParts> {
  const { logger, clock, newId, signal, meter, tracer } = platform;
  await using parts = new AsyncDisposableStack();
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = config;
  const store = parts.use(
    await connectDocumentStore({ uri, database, appName: "training", logger, signal, meter, tracer }),
  );
  await createIndexes(store, [
    ...jobLogIndexes,
    ...runIndexes,
    ...metricBucketIndexes,
    Outbox.indexes,
    ReplayStore.indexes,
  ]);
  const stream = parts.use(await connectEventStream({ ...streamOf(config), name: "training", logger, meter, tracer }));
  const refusals = parts.use(createRefusalReporter(stream, { logger, meter }));
  parts.use(evictChangedCredentials(stream, platform));
  parts.use(startRelay({ source: outboxSource(store), stream, logger, meter }));
  const limits = { commandExpiryMs: config.COMMAND_EXPIRY_MS, cachedJobs: config.CACHED_JOBS };
  const steering = observeSteering(meter);
  const jobs = parts.use(openJobs({ store, stream, logger, clock, meter, steering, ...limits }));
  const metrics = createMetrics({ store, wakeUps: stream, ...jobs, clock, steering });
  parts.defer(() => metrics.close());
  const draining = new AbortController();
  const pipelines = new PipelineStore(store);
  const minting = { clock, newId, newToken: () => randomUUID() };
  const dependencies = {
    ...jobs,
    ...limits,
    ...minting,
    outbox: new Outbox(store, { cause: currentCause }),
    replays: new ReplayStore(store, { clock }),
    pipelines,
    reports: metrics.reports,
    finalMetrics: metrics.finalMetrics,
    draining: draining.signal,
  };
  const commands = { ...dependencies, memory: new CommandMemory() };
  const failed = (error: unknown, name: string) =>
    logger.warn({ err: error }, `${name} failed, and will be tried again`);
  const again = { until: signal, failed, tracer };
  const { SWEEP_INTERVAL_MS: sweepMs, LOG_CHECK_INTERVAL_MS: checkMs } = config;
  parts.use(repeat({ ...again, name: "sweep", pauseMs: sweepMs, work: () => sweepJobs(dependencies) }));
  parts.use(repeat({ ...again, name: "log check", pauseMs: checkMs, work: () => jobs.logs.check() }));
  parts.use(consumeMemberDeactivated({ stream, store, ...jobs }));
  const owned = parts.move();
  return {
    routes: (router) => {
      runRoutes(router, dependencies);
      controlCommandRoutes(router, commands);
      supervisionLeaseRoutes(router, dependencies);
      router.service(TrainerService, { ...trainerImplementation(dependencies), report: metrics.report });
      router.service(RunMetricsService, metrics.runMetrics);
    },
    checks: { mongodb: (checkSignal) => store.ping(checkSignal) },
    dependencies: { nats: () => stream.ping() },
    refusals: (refused) => refusals.report(refused),
    drain: async () => {
      metrics.drain();
      draining.abort();
    },
    close: [() => owned.disposeAsync()],
  };
}

/** A caller whose rights have changed is asked anew at identity, at once on every replica. */
function evictChangedCredentials(stream: EventStream, { exchange }: Platform): Disposable {
  const listening = stream.listen(eventSubject(CredentialChangedSchema), ({ data }) => {
    exchange?.evict(decodeEvent(CredentialChangedSchema, data));
  });
  return { [Symbol.dispose]: () => listening.close() };
}
