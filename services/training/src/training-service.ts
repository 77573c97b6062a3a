import { randomUUID } from "node:crypto";
import { CheckpointService } from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { LiveMetricsService } from "@aiplatform/contract/aiplatform/training/v1/live_metrics";
import { TrainingQuotaService } from "@aiplatform/contract/aiplatform/training/v1/quotas";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { SupervisionLeaseService } from "@aiplatform/contract/aiplatform/training/v1/supervision_leases";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { followOrganisationLimits } from "@aiplatform/quotas";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService, startWorker } from "@aiplatform/service-kit";
import { checkpointRoutes } from "./checkpoints/checkpoint-rpc.ts";
import type { TrainingConfig } from "./config.ts";
import { CommandCache } from "./control-commands/command-cache.ts";
import { controlCommandRoutes } from "./control-commands/control-command-rpc.ts";
import { type SweepDependencies, sweepJobs } from "./control-commands/sweep-jobs.ts";
import { trainingErrors } from "./errors.ts";
import { openJobLog } from "./job-log/open-job-log.ts";
import { createLiveMetrics } from "./live-metrics.ts";
import { purgeOfTraining } from "./organisation-purge.ts";
import { quotaRoutes } from "./quota-rpc.ts";
import { startRunIndex } from "./run-index/start-run-index.ts";
import { JobDirectory } from "./runs/job-directory.ts";
import { runRoutes } from "./runs/run-rpc.ts";
import { observeSteering } from "./steering-observation.ts";
import { createStores, trainingIndexes } from "./stores.ts";
import { consumeMemberDeactivated } from "./supervision-leases/member-deactivated-consumer.ts";
import { supervisionLeaseRoutes } from "./supervision-leases/supervision-lease-rpc.ts";
import { trainerRoutes } from "./trainers/trainer-rpc.ts";
import { trainingQuotas } from "./training-quotas.ts";

/** What tests give instead of the real thing: a clock, and how callers are known. */
export interface TrainingOverrides {
  clock?: () => Date;
  callers?: Callers;
}

/** @throws an error of one sentence when a setting or the database is unusable */
export function startTrainingService(
  config: TrainingConfig,
  overrides: TrainingOverrides = {},
): Promise<RunningService> {
  return startDomainService({
    name: "training",
    config,
    services: [
      RunService,
      CheckpointService,
      ControlCommandService,
      SupervisionLeaseService,
      TrainerService,
      RunMetricsService,
      LiveMetricsService,
      TrainingQuotaService,
    ],
    errors: trainingErrors,
    indexes: trainingIndexes,
    ...overrides,
    start: (platform) => startParts(config, platform),
  });
}

function startParts(config: TrainingConfig, platform: DomainPlatform): DomainServiceParts {
  const { logger, clock, newId, meter, parts, store, stream, outbox, idempotency } = platform;
  const { COMMAND_EXPIRY_MS: commandExpiryMs, CACHED_JOBS: cachedJobs } = config;
  const stores = createStores(store);
  const directory = new JobDirectory(stores.runs);
  const steering = observeSteering(meter);
  const jobLog = openJobLog({ ...stores, stream, logger, clock, meter }, { commandExpiryMs, cachedJobs });
  const { logs } = parts.use(jobLog);
  logs.onChange((_job, { isOwn, before, entry }) => {
    if (isOwn) steering.written(before, entry);
  });
  const runIndex = startRunIndex({ ...stores, ...platform, directory, logs });
  const metrics = createLiveMetrics({ ...stores, ...runIndex, stream, directory, logs, clock, steering });
  parts.defer(() => metrics.close());
  const draining = new AbortController();
  const dependencies = {
    ...stores,
    quotas: trainingQuotas(store, stores, config),
    directory,
    logs,
    outbox,
    idempotency,
    clock,
    newId,
    newToken: () => randomUUID(),
    cache: new CommandCache(),
    report: metrics.report,
    sendReport: metrics.sendReport,
    finalMetrics: metrics.finalMetrics,
    reportedStep: metrics.reportedStep,
    draining: draining.signal,
  };
  startJobWorkers(config, platform, dependencies);
  parts.use(consumeMemberDeactivated({ ...dependencies, stream, store }));
  followOrganisationLimits(platform, { ...dependencies, service: "training", identity: config.IDENTITY_ADDRESS });
  return {
    routes: (router) => {
      runRoutes(router, dependencies);
      checkpointRoutes(router, dependencies);
      controlCommandRoutes(router, dependencies);
      supervisionLeaseRoutes(router, dependencies);
      trainerRoutes(router, dependencies);
      metrics.routes(router);
      quotaRoutes(router, dependencies);
    },
    drain: async () => {
      metrics.drain();
      draining.abort();
    },
    purge: purgeOfTraining(platform),
  };
}

/** Ends what has expired, and finds entries of other replicas of which no message arrived. */
function startJobWorkers(config: TrainingConfig, platform: DomainPlatform, dependencies: SweepDependencies): void {
  const { COMMAND_EXPIRY_MS: commandExpiryMs, SWEEP_INTERVAL_MS: sweepMs, LOG_CHECK_INTERVAL_MS: checkMs } = config;
  const traced = { isTraced: true, signal: platform.signal };
  const sweep = () => sweepJobs(dependencies, { commandExpiryMs });
  const check = () => dependencies.logs.check();
  platform.parts.use(startWorker(platform, { ...traced, name: "job-sweep", pauseMs: sweepMs, round: sweep }));
  platform.parts.use(startWorker(platform, { ...traced, name: "job-log-check", pauseMs: checkMs, round: check }));
}
