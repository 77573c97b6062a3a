import { randomUUID } from "node:crypto";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { SupervisionLeaseService } from "@aiplatform/contract/aiplatform/training/v1/supervision_leases";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService, startWorker } from "@aiplatform/service-kit";
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
  return startDomainService({
    name: "training",
    config,
    services: [RunService, ControlCommandService, SupervisionLeaseService, TrainerService, RunMetricsService],
    errors: trainingErrors,
    indexes: [...jobLogIndexes, ...runIndexes, ...metricBucketIndexes],
    ...overrides,
    start: (platform) => startParts(config, platform),
  });
}

function startParts(config: TrainingConfig, platform: DomainPlatform): DomainServiceParts {
  const { logger, clock, newId, meter, parts, store, stream, outbox, replays } = platform;
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
    outbox,
    replays,
    pipelines,
    reports: metrics.reports,
    finalMetrics: metrics.finalMetrics,
    draining: draining.signal,
  };
  const commands = { ...dependencies, memory: new CommandMemory() };
  const { SWEEP_INTERVAL_MS: sweepMs, LOG_CHECK_INTERVAL_MS: checkMs } = config;
  const traced = { isTraced: true, signal: platform.signal };
  const sweep = { ...traced, name: "job-sweep", pauseMs: sweepMs, round: () => sweepJobs(dependencies) };
  const check = { ...traced, name: "job-log-check", pauseMs: checkMs, round: () => jobs.logs.check() };
  parts.use(startWorker(platform, sweep));
  parts.use(startWorker(platform, check));
  parts.use(consumeMemberDeactivated({ stream, store, ...jobs }));
  return {
    routes: (router) => {
      runRoutes(router, dependencies);
      controlCommandRoutes(router, commands);
      supervisionLeaseRoutes(router, dependencies);
      router.service(TrainerService, { ...trainerImplementation(dependencies), report: metrics.report });
      router.service(RunMetricsService, metrics.runMetrics);
    },
    drain: async () => {
      metrics.drain();
      draining.abort();
    },
  };
}
