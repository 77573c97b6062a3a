import { randomUUID } from "node:crypto";
import { ArtifactReferenceService } from "@aiplatform/contract/aiplatform/training/v1/artifact_references";
import { CheckpointService } from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobService } from "@aiplatform/contract/aiplatform/training/v1/jobs";
import { RunLineageService } from "@aiplatform/contract/aiplatform/training/v1/lineage";
import { LiveMetricsService } from "@aiplatform/contract/aiplatform/training/v1/live_metrics";
import { LogLineService } from "@aiplatform/contract/aiplatform/training/v1/log_lines";
import { MediaService } from "@aiplatform/contract/aiplatform/training/v1/media";
import { MlflowService } from "@aiplatform/contract/aiplatform/training/v1/mlflow";
import { TrainingQuotaService } from "@aiplatform/contract/aiplatform/training/v1/quotas";
import { RunComparisonService } from "@aiplatform/contract/aiplatform/training/v1/run_comparisons";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { TrainingSearchService } from "@aiplatform/contract/aiplatform/training/v1/search";
import { SupervisionLeaseService } from "@aiplatform/contract/aiplatform/training/v1/supervision_leases";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { followOrganisationLimits } from "@aiplatform/quotas";
import { ServiceSearch } from "@aiplatform/search";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService, startWorker } from "@aiplatform/service-kit";
import { artifactReferenceRoutes } from "./artifact-references/artifact-reference-rpc.ts";
import type { ArtifactReferences } from "./artifact-references/artifact-references.ts";
import { checkpointRoutes } from "./checkpoints/checkpoint-rpc.ts";
import { StoredCheckpoints } from "./checkpoints/stored-checkpoints.ts";
import type { TrainingConfig } from "./config.ts";
import { CommandCache } from "./control-commands/command-cache.ts";
import { controlCommandRoutes } from "./control-commands/control-command-rpc.ts";
import { type SweepDependencies, sweepDueJobs } from "./control-commands/sweep-jobs.ts";
import { startDeletions } from "./deletions/start-deletions.ts";
import { trainingErrors } from "./errors.ts";
import { clearEndedJobs } from "./job-log/active-jobs.ts";
import { openJobLog } from "./job-log/open-job-log.ts";
import { jobRoutes } from "./jobs/job-rpc.ts";
import { lineageRoutes } from "./lineage/lineage-rpc.ts";
import { RunUses } from "./lineage/run-uses.ts";
import { createLiveMetrics } from "./live-metrics.ts";
import type { LogRetention } from "./metric-reports/log-batch-store.ts";
import { mlflowRoutes } from "./mlflow/mlflow-rpc.ts";
import { purgeOfTraining } from "./organisation-purge.ts";
import { quotaRoutes } from "./quota-rpc.ts";
import { startRunIndex } from "./run-index/start-run-index.ts";
import { DatasetVersions } from "./runs/dataset-versions.ts";
import { type DeleteSomeRunsDependencies, deleteSomeRuns } from "./runs/delete-run.ts";
import { JobDirectory } from "./runs/job-directory.ts";
import { runRoutes } from "./runs/run-rpc.ts";
import { announceDeletedRun, listenToDeletedRuns } from "./runs/run-signals.ts";
import { searchRoutes, trainingSearches } from "./search-rpc.ts";
import { observeSteering } from "./steering-observation.ts";
import { createStores, type TrainingStores, trainingIndexes, trainingMigrations } from "./stores.ts";
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
      RunComparisonService,
      JobService,
      LogLineService,
      MediaService,
      CheckpointService,
      ControlCommandService,
      SupervisionLeaseService,
      TrainerService,
      RunMetricsService,
      LiveMetricsService,
      MlflowService,
      TrainingQuotaService,
      TrainingSearchService,
      ArtifactReferenceService,
      RunLineageService,
    ],
    errors: trainingErrors,
    indexes: trainingIndexes,
    migrations: trainingMigrations,
    ...overrides,
    start: (platform) => startParts(config, platform),
  });
}

/** How long a replica believes a run to be there that it has heard nothing of. */
const maxRunAgeMs = 30_000;

function startParts(config: TrainingConfig, platform: DomainPlatform): DomainServiceParts {
  const { logger, clock, newId, meter, parts, store, stream, outbox, idempotency, transaction } = platform;
  const { COMMAND_EXPIRY_MS: commandExpiryMs, CACHED_JOBS: cachedJobs } = config;
  const stores = createStores(store, retentionOf(config));
  const directory = new JobDirectory(stores.runs, { maxAgeMs: Math.min(maxRunAgeMs, config.PURGE_SETTLE_MS / 2) });
  const steering = observeSteering(meter);
  const jobLog = openJobLog({ ...stores, stream, logger, clock, meter }, { commandExpiryMs, cachedJobs });
  const { logs } = parts.use(jobLog);
  logs.onChange((_job, { isOwn, before, entry }) => {
    if (isOwn) steering.written(before, entry);
  });
  clearEndedJobs({ ...stores, logs }, (error) => logger.warn({ err: error }, "an ended job is still marked as active"));
  const runIndex = startRunIndex({ ...stores, ...platform, directory, logs });
  const metrics = createLiveMetrics({ ...stores, ...runIndex, stream, directory, logs, clock, steering });
  parts.defer(() => metrics.close());
  const draining = new AbortController();
  const operations = {
    ...stores,
    quotas: trainingQuotas(store, stores, config),
    directory,
    logs,
    ...{ outbox, idempotency, transaction, clock, newId },
    newToken: () => randomUUID(),
    cache: new CommandCache(),
    ...metrics.intakes,
    storePoints: metrics.storePoints,
    newestPoints: metrics.newestPoints,
    finalMetrics: metrics.finalMetrics,
    reportedStep: metrics.reportedStep,
    artifactReferences: artifactReferencesOf(stores),
    storedCheckpoints: new StoredCheckpoints(platform.peers, config.DEPLOYMENTS_ADDRESS),
    runUses: new RunUses(platform.peers, config.DEPLOYMENTS_ADDRESS),
    datasetVersions: new DatasetVersions(platform.peers, config.DATA_ADDRESS),
    draining: draining.signal,
  };
  const deletions = startRunDeletions(config, platform, operations);
  const dependencies = { ...operations, ...deletions };
  const search = new ServiceSearch(platform.store, trainingSearches);
  startJobWorkers(config, platform, dependencies);
  parts.use(consumeMemberDeactivated({ ...dependencies, stream, store }));
  followOrganisationLimits(platform, { ...dependencies, service: "training", identity: config.IDENTITY_ADDRESS });
  return {
    routes: (router) => {
      for (const routes of resources) routes(router, dependencies);
      metrics.routes(router);
      searchRoutes(router, search);
    },
    drain: async () => {
      metrics.drain();
      draining.abort();
    },
    purge: purgeOfTraining(platform),
  };
}

/** What takes calls with the dependencies of all. */
const resources = [
  runRoutes,
  jobRoutes,
  checkpointRoutes,
  controlCommandRoutes,
  supervisionLeaseRoutes,
  trainerRoutes,
  mlflowRoutes,
  quotaRoutes,
  artifactReferenceRoutes,
  lineageRoutes,
] as const;

/** What refers to artifacts is a line here. */
function artifactReferencesOf({ jobArtifacts, media }: TrainingStores): ArtifactReferences[] {
  return [
    (organisationId, digests) => jobArtifacts.ofCheckpoints(organisationId, digests),
    (organisationId, digests) => jobArtifacts.ofResults(organisationId, digests),
    (organisationId, digests) => media.artifactsAmong(organisationId, digests),
  ];
}

function retentionOf({ LOG_RETENTION_DAYS: days, LOG_BYTES_PER_JOB: maxBytesPerJob }: TrainingConfig): LogRetention {
  return { retentionMs: days * 86_400_000, maxBytesPerJob };
}

/** Has all replicas forget runs that are deleted, and removes what they have left. */
function startRunDeletions(
  { PURGE_SETTLE_MS: settleMs }: TrainingConfig,
  platform: DomainPlatform,
  dependencies: Omit<DeleteSomeRunsDependencies, "forgetRun"> & Pick<SweepDependencies, "directory" | "logs">,
): { forgetRun: (runId: string) => void; signalDeletion: () => void } {
  const { parts, stream, store, clock } = platform;
  const { directory, logs, deletions } = dependencies;
  const forget = (runId: string) => {
    directory.forget(runId);
    logs.wakeFollowers(runId);
  };
  const subscription = listenToDeletedRuns(stream, forget);
  parts.defer(() => subscription.close());
  const forgetRun = (runId: string) => {
    forget(runId);
    announceDeletedRun(stream, runId);
  };
  const some = deleteSomeRuns.bind(undefined, { ...dependencies, forgetRun });
  const worker = parts.use(startDeletions(platform, { store, clock, deletions, deleteSomeRuns: some }, { settleMs }));
  return { forgetRun, signalDeletion: () => worker.wake() };
}

/** While they find nothing, the pauses of these workers grow to so many times what the settings say. */
const idlePauses = 5;

/** Ends what has expired, and finds entries of other replicas of which no message arrived. */
function startJobWorkers(config: TrainingConfig, platform: DomainPlatform, dependencies: SweepDependencies): void {
  const { COMMAND_EXPIRY_MS: commandExpiryMs, SWEEP_INTERVAL_MS: sweepMs, LOG_CHECK_INTERVAL_MS: checkMs } = config;
  const { parts, clock, stream, signal } = platform;
  const { logs } = dependencies;
  const pausesOf = (pauseMs: number) => ({ pauseMs, maxPauseMs: idlePauses * pauseMs, isTraced: true, signal });
  let hasSwept = false;
  const sweep = async () => {
    const swept = await sweepDueJobs(dependencies, { commandExpiryMs });
    hasSwept = swept.hasSwept;
    if (swept.dueInMs !== undefined) sweeper.wakeWithin(swept.dueInMs);
  };
  const sweeping = { name: "job-sweep", ...pausesOf(sweepMs), isIdle: () => !hasSwept, round: sweep };
  const sweeper = parts.use(startWorker(platform, sweeping));
  logs.onChange((_job, { isOwn, document: { due_at: dueAt } }) => {
    if (isOwn && dueAt) sweeper.wakeWithin(dueAt.getTime() - clock().getTime());
  });
  let missed = 0;
  const check = async () => {
    missed = await logs.check();
  };
  // Where messages are lost, or cannot be sent, the look is all there is.
  const isIdle = () => missed === 0 && stream.connected();
  const checker = { name: "job-log-check", ...pausesOf(checkMs), isIdle, round: check };
  const checking = parts.use(startWorker(platform, checker));
  const ready = stream.onReady(() => checking.wake());
  parts.defer(() => ready.close());
}
