import {
  type CreateRunRequest,
  type JobArtifact,
  JobArtifactSchema,
  type JobRead,
  JobReadSchema,
  type JobState as JobStateNumber,
  LeaseExpiryPolicy,
  MetricGoal,
  OverrideClass,
  type OverrideDeclaration as OverrideDeclarationMessage,
  OverrideType,
  type RunDataset as RunDatasetMessage,
  RunDatasetSchema,
  type Run as RunMessage,
  RunSchema,
  type TrainingJob,
} from "@aiplatform/contract/aiplatform/training/v1/runs";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Artifact } from "../job-log/job-entry.ts";
import { jobStateNumbers } from "../job-log/job-numbers.ts";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import { type JobState, jobStates } from "../job-log/job-state.ts";
import type { NewRun } from "./create-run.ts";
import {
  defaultHeartbeatTimeoutSeconds,
  defaultStallTimeoutSeconds,
  type JobDeclaration,
  type OverrideDeclaration,
  type Run,
  type RunDataset,
  tagsOf,
} from "./run.ts";

const overrideTypes: Readonly<Record<OverrideType, OverrideDeclaration["type"]>> = {
  [OverrideType.UNSPECIFIED]: "string",
  [OverrideType.NUMBER]: "number",
  [OverrideType.INTEGER]: "integer",
  [OverrideType.BOOLEAN]: "boolean",
  [OverrideType.STRING]: "string",
};

const overrideTypeNumbers: Readonly<Record<OverrideDeclaration["type"], OverrideType>> = {
  number: OverrideType.NUMBER,
  integer: OverrideType.INTEGER,
  boolean: OverrideType.BOOLEAN,
  string: OverrideType.STRING,
};

const overrideClasses: Readonly<Record<OverrideClass, OverrideDeclaration["class"]>> = {
  [OverrideClass.UNSPECIFIED]: "cold",
  [OverrideClass.HOT]: "hot",
  [OverrideClass.COLD]: "cold",
  [OverrideClass.RESOURCES]: "resources",
};

const overrideClassNumbers: Readonly<Record<OverrideDeclaration["class"], OverrideClass>> = {
  hot: OverrideClass.HOT,
  cold: OverrideClass.COLD,
  resources: OverrideClass.RESOURCES,
};

export function jobStateNumber(state: JobState): JobStateNumber {
  return jobStateNumbers[state];
}

/** Undefined for UNSPECIFIED. */
export function jobStateOf(number: JobStateNumber): JobState | undefined {
  return jobStates.find((state) => jobStateNumbers[state] === number);
}

/** `datasets`: those that the request names, as they were found. */
export function newRunOf(
  { pipelineId, name, jobs, tags, notes, parameters }: CreateRunRequest,
  datasets: RunDataset[],
): NewRun {
  const declared = { jobs: jobs.map(jobDeclarationOf), parameters: parameters?.text || "{}" };
  return { pipelineId, name, ...declared, datasets, tags: tagsOf(tags), notes };
}

function jobDeclarationOf(job: TrainingJob): JobDeclaration {
  const goal = job.primaryMetricGoal === MetricGoal.MAXIMIZE ? "maximize" : "minimize";
  return {
    name: job.name,
    overrides: job.overrides.map(overrideOf),
    ...(job.primaryMetric ? { primaryMetric: { name: job.primaryMetric, goal } } : {}),
    stallTimeoutSeconds: job.stallTimeoutSeconds || defaultStallTimeoutSeconds,
    heartbeatTimeoutSeconds: job.heartbeatTimeoutSeconds || defaultHeartbeatTimeoutSeconds,
    leaseExpiryPolicy: job.leaseExpiryPolicy === LeaseExpiryPolicy.PAUSE ? "pause" : "keep",
    configuration: job.configuration?.text || "{}",
  };
}

function overrideOf({ key, type, class: when, minimum, maximum, allowed }: OverrideDeclarationMessage) {
  return {
    key,
    type: overrideTypes[type],
    class: overrideClasses[when],
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    allowed: [...allowed],
  };
}

/** `snapshots` in the order of the run's jobs. */
export function runMessage(run: Run, snapshots: readonly JobSnapshot[]): RunMessage {
  const jobs = run.jobs.flatMap((declaration, index) => {
    const job = snapshots[index];
    return job ? [jobMessage(declaration, job)] : [];
  });
  const { id, pipelineId, name, tags, notes, parameters, datasets, createdAt, updatedAt, archivedAt } = run;
  return create(RunSchema, {
    ...{ id, pipelineId, name, jobs, notes, parameters: { text: parameters } },
    datasets: datasets.map(datasetMessage),
    tags: Object.fromEntries(tags.map((tag) => [tag.name, tag.value])),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    ...(archivedAt ? { archivedAt: timestampFromDate(archivedAt) } : {}),
  });
}

/** A version of a dataset, as the run that reads it knows it. */
export function datasetMessage({ rowCount, sizeBytes, ...dataset }: RunDataset): RunDatasetMessage {
  return create(RunDatasetSchema, { ...dataset, rowCount: BigInt(rowCount), sizeBytes: BigInt(sizeBytes) });
}

/** A job as declared, with its present state. */
export function jobMessage(declaration: JobDeclaration, job: JobSnapshot): JobRead {
  const { name, overrides, primaryMetric, stallTimeoutSeconds, heartbeatTimeoutSeconds, configuration } = declaration;
  const goal = primaryMetric?.goal === "maximize" ? MetricGoal.MAXIMIZE : MetricGoal.MINIMIZE;
  return create(JobReadSchema, {
    job: {
      name,
      overrides: overrides.map((override) => ({
        ...override,
        type: overrideTypeNumbers[override.type],
        class: overrideClassNumbers[override.class],
      })),
      primaryMetric: primaryMetric?.name ?? "",
      primaryMetricGoal: primaryMetric ? goal : MetricGoal.UNSPECIFIED,
      stallTimeoutSeconds,
      heartbeatTimeoutSeconds,
      leaseExpiryPolicy: declaration.leaseExpiryPolicy === "pause" ? LeaseExpiryPolicy.PAUSE : LeaseExpiryPolicy.KEEP,
      configuration: { text: configuration },
    },
    state: jobStateNumbers[job.state],
    lastSequence: job.lastSequence,
    position: job.position,
    ...(job.artifact ? { artifact: artifactMessage(job.artifact) } : {}),
    detail: job.stateDetail ?? "",
  });
}

function artifactMessage({ uri, sha256, sizeBytes, format, checkpointId }: Artifact): JobArtifact {
  const from = checkpointId === undefined ? {} : { checkpointId };
  return create(JobArtifactSchema, { uri, sha256, sizeBytes: BigInt(sizeBytes), format, ...from });
}
