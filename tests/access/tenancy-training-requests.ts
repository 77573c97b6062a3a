import { randomUUID } from "node:crypto";
import { jobName, type OrganisationEnvironment, otherJobName, takenJobName } from "./organisation-environment.ts";
import type { Input } from "./rpc-calls.ts";

export const job = ({ ids }: OrganisationEnvironment) => ({
  pipeline_id: ids.pipeline,
  run_id: ids.run,
  job_name: jobName,
});
const pipeline = ({ ids }: OrganisationEnvironment) => ({ pipeline_id: ids.pipeline });
const run = ({ ids }: OrganisationEnvironment) => ({ pipeline_id: ids.pipeline, run_id: ids.run });
export const readVersion = (environment: OrganisationEnvironment) => ({
  ...run(environment),
  version_id: environment.ids.dataset_version,
});
export const medium = (environment: OrganisationEnvironment) => ({
  ...run(environment),
  media_id: environment.ids.media,
});
const experiment = ({ ids }: OrganisationEnvironment) => ({ experiment_id: ids.pipeline });
const scriptRun = ({ ids }: OrganisationEnvironment) => ({ run_id: ids.run });
const lease = ({ ids }: OrganisationEnvironment) => ({
  supervision_id: ids.supervision,
  supervision_lease_token: ids.lease_token,
});
const trainer = ({ ids }: OrganisationEnvironment) => ({
  pipeline_id: ids.pipeline,
  run_id: ids.run,
  job_name: jobName,
  attachment_id: ids.attachment,
});
const preview = (environment: OrganisationEnvironment) => ({
  ...job(environment),
  ...lease(environment),
  action: "rollback",
  checkpoint_id: environment.ids.checkpoint,
});
const command = (environment: OrganisationEnvironment) => ({ ...preview(environment), idempotency_key: randomUUID() });

/** A request that is right in the organisation, for each RPC with a position in it; `place`: what is to be put in its place. */
export type Requests = Readonly<
  Record<string, (environment: OrganisationEnvironment, place: readonly string[]) => Input>
>;

/** For each RPC about pipelines, runs and their jobs, those of MLflow included. */
export const trainingRequests: Requests = {
  "CheckpointService/ListCheckpoints": job,
  "CheckpointService/VerifyCheckpoint": (environment) => ({
    ...job(environment),
    checkpoint_id: environment.ids.checkpoint,
  }),
  "CheckpointService/PruneCheckpoints": (environment) => ({
    ...job(environment),
    checkpoint_ids: [environment.ids.checkpoint],
  }),
  "ControlCommandService/CreateTrainingControlCommand": command,
  "ControlCommandService/PauseJob": (environment, [field]) => ({
    ...job(environment),
    ...lease(environment),
    // Of a job that gets no other commands here, which the lease is not of: each key is refused alike.
    ...(field === "idempotency_key" ? { job_name: takenJobName } : {}),
    idempotency_key: randomUUID(),
  }),
  "ControlCommandService/CommandJobs": (environment) => ({
    // A job that gets no other commands here: keys are theirs, too.
    jobs: [{ ...job(environment), job_name: otherJobName }],
    action: "continue",
    idempotency_key: randomUUID(),
  }),
  "ControlCommandService/ListControlCommands": job,
  "ControlCommandService/GetControlCommand": (environment) => ({
    ...job(environment),
    command_id: environment.ids.command,
  }),
  "ControlCommandService/PreviewControlCommand": preview,
  "ControlCommandService/WatchControlCommands": job,
  "LiveMetricsService/GetLiveMetrics": ({ ids }) => ({ pipeline_id: ids.pipeline, run_id: ids.run }),
  "LiveMetricsService/WatchLiveMetrics": ({ ids }) => ({ pipeline_id: ids.pipeline, run_id: ids.run }),
  "RunMetricsService/GetRunMetrics": ({ ids }) => ({ pipeline_id: ids.pipeline, run_id: ids.run }),
  "RunMetricsService/WatchRunMetrics": ({ ids }) => ({ pipeline_id: ids.pipeline, run_id: ids.run }),
  "JobService/GetJob": job,
  "LogLineService/ReadLogLines": job,
  "LogLineService/WatchLogLines": job,
  "MediaService/ListMediaNames": run,
  "MediaService/ListMedia": run,
  "MediaService/FindMediaContent": medium,
  "RunComparisonService/CompareRuns": ({ ids }) => ({ run_id: [ids.run], metric: "loss" }),
  "RunService/CreateRun": ({ ids }) => ({
    pipeline_id: ids.pipeline,
    name: "Table",
    jobs: [{ name: jobName }],
    datasets: [{ name: "table", dataset_id: ids.dataset, version_id: ids.dataset_version }],
  }),
  "RunService/FindRunDataset": readVersion,
  "RunService/GetPipeline": pipeline,
  "RunService/UpdatePipeline": pipeline,
  "RunService/ArchivePipeline": pipeline,
  "RunService/RestorePipeline": pipeline,
  "RunService/DeletePipeline": pipeline,
  "RunService/GetRun": run,
  "RunService/ListRuns": pipeline,
  "RunService/UpdateRun": run,
  "RunService/ArchiveRun": run,
  "RunService/RestoreRun": run,
  "RunService/DeleteRun": run,
  "SupervisionLeaseService/AcquireSupervisionLease": job,
  "SupervisionLeaseService/GetSupervisionLease": job,
  "SupervisionLeaseService/RenewSupervisionLease": (environment) => ({ ...job(environment), ...lease(environment) }),
  "SupervisionLeaseService/ReleaseSupervisionLease": (environment) => ({ ...job(environment), ...lease(environment) }),
  "TrainerService/Attach": (environment) => ({ ...trainer(environment), job_name: otherJobName }),
  "TrainerService/AcknowledgeCommand": (environment) => ({
    ...trainer(environment),
    command_id: environment.ids.command,
    applied: { checkpoint_id: environment.ids.checkpoint, checkpoint: { id: randomUUID(), step: 2 } },
  }),
  "TrainerService/ReportJobState": (environment) => ({ ...trainer(environment), state: "running" }),
  "TrainerService/RegisterCheckpoint": (environment) => ({
    ...trainer(environment),
    checkpoint: { id: randomUUID(), step: 3 },
  }),
  "TrainerService/Report": ({ ids }) => ({
    run_id: ids.run,
    job_name: jobName,
    attachment_id: ids.attachment,
    counter: 1,
  }),
  "TrainerService/TakeJob": (environment) => ({ ...trainer(environment), job_name: takenJobName }),
  "TrainerService/SendReport": (environment) => ({ ...trainer(environment), counter: 1 }),
  "TrainerService/SendMetrics": (environment) => ({
    ...job(environment),
    job_name: takenJobName,
    metrics: { loss: 1 },
    step: 1,
  }),
  "MlflowService/GetMlflowExperiment": experiment,
  "MlflowService/UpdateMlflowExperiment": (environment) => ({ ...experiment(environment), new_name: randomUUID() }),
  "MlflowService/DeleteMlflowExperiment": experiment,
  "MlflowService/RestoreMlflowExperiment": experiment,
  "MlflowService/SetMlflowExperimentTag": (environment) => ({
    ...experiment(environment),
    key: "table",
    value: "table",
  }),
  "MlflowService/CreateMlflowRun": experiment,
  "MlflowService/SearchMlflowRuns": ({ ids }) => ({ experiment_ids: [ids.pipeline] }),
  "MlflowService/SearchMlflowLoggedModels": ({ ids }) => ({ experiment_ids: [ids.pipeline] }),
  "MlflowService/GetMlflowRun": scriptRun,
  "MlflowService/UpdateMlflowRun": (environment) => ({ ...scriptRun(environment), status: "RUNNING" }),
  "MlflowService/DeleteMlflowRun": scriptRun,
  "MlflowService/RestoreMlflowRun": scriptRun,
  "MlflowService/LogMlflowMetric": (environment) => ({ ...scriptRun(environment), key: "loss", value: 1 }),
  "MlflowService/LogMlflowParameter": (environment) => ({ ...scriptRun(environment), key: "lr", value: "0.1" }),
  "MlflowService/SetMlflowTag": (environment) => ({ ...scriptRun(environment), key: "table", value: "table" }),
  "MlflowService/DeleteMlflowTag": (environment) => ({ ...scriptRun(environment), key: "table" }),
  "MlflowService/LogMlflowBatch": (environment) => ({
    ...scriptRun(environment),
    tags: [{ key: "table", value: "table" }],
  }),
  "MlflowService/GetMlflowMetricHistory": (environment) => ({ ...scriptRun(environment), metric_key: "loss" }),
  "RunFileService/ListRunFiles": run,
  "RunFileService/DownloadRunFile": (environment) => ({ ...run(environment), path: "table.txt" }),
  "MlflowArtifactService/DownloadMlflowArtifact": (environment) => ({ ...run(environment), path: "table.txt" }),
  "MlflowArtifactService/PutMlflowArtifact": (environment) => ({ ...run(environment), path: "table.txt" }),
};
