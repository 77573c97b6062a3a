import {
  type JobArtifact,
  JobArtifactSchema,
  type JobRead,
  JobReadSchema,
  JobState as JobStateNumber,
  LeaseExpiryPolicy,
  MetricGoal,
  OverrideClass,
  type OverrideDeclaration as OverrideDeclarationMessage,
  OverrideType,
  type Run as RunMessage,
  RunSchema,
  type TrainingJob,
} from "@aiplatform/contract/aiplatform/training/v1/runs";
import { assertNone, type FieldViolation } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Artifact } from "../jobs/job-entry.ts";
import type { JobSnapshot } from "../jobs/job-snapshot.ts";
import { JOB_STATES, type JobState } from "../jobs/job-state.ts";
import {
  DEFAULT_HEARTBEAT_TIMEOUT_SECONDS,
  DEFAULT_STALL_TIMEOUT_SECONDS,
  type JobDeclaration,
  type OverrideDeclaration,
  type Run,
} from "./run.ts";

const STATE_NUMBERS: Readonly<Record<JobState, JobStateNumber>> = {
  queued: JobStateNumber.QUEUED,
  preparing: JobStateNumber.PREPARING,
  running: JobStateNumber.RUNNING,
  held: JobStateNumber.HELD,
  pausing: JobStateNumber.PAUSING,
  paused: JobStateNumber.PAUSED,
  restoring: JobStateNumber.RESTORING,
  finishing: JobStateNumber.FINISHING,
  aborting: JobStateNumber.ABORTING,
  completed: JobStateNumber.COMPLETED,
  failed: JobStateNumber.FAILED,
  aborted: JobStateNumber.ABORTED,
};

const OVERRIDE_TYPES: Readonly<Record<OverrideType, OverrideDeclaration["type"]>> = {
  [OverrideType.UNSPECIFIED]: "string",
  [OverrideType.NUMBER]: "number",
  [OverrideType.INTEGER]: "integer",
  [OverrideType.BOOLEAN]: "boolean",
  [OverrideType.STRING]: "string",
};

const OVERRIDE_TYPE_NUMBERS: Readonly<Record<OverrideDeclaration["type"], OverrideType>> = {
  number: OverrideType.NUMBER,
  integer: OverrideType.INTEGER,
  boolean: OverrideType.BOOLEAN,
  string: OverrideType.STRING,
};

const OVERRIDE_CLASSES: Readonly<Record<OverrideClass, OverrideDeclaration["class"]>> = {
  [OverrideClass.UNSPECIFIED]: "cold",
  [OverrideClass.HOT]: "hot",
  [OverrideClass.COLD]: "cold",
  [OverrideClass.RESOURCES]: "resources",
};

const OVERRIDE_CLASS_NUMBERS: Readonly<Record<OverrideDeclaration["class"], OverrideClass>> = {
  hot: OverrideClass.HOT,
  cold: OverrideClass.COLD,
  resources: OverrideClass.RESOURCES,
};

/** The state as a message's enum. */
export function jobStateNumber(state: JobState): JobStateNumber {
  return STATE_NUMBERS[state];
}

/** The state that a message names; undefined for none. */
export function jobStateOf(number: JobStateNumber): JobState | undefined {
  return JOB_STATES.find((state) => STATE_NUMBERS[state] === number);
}

/** The declaration that a message holds. Throws InvalidFieldsError. */
export function jobDeclarationOf(job: TrainingJob, index: number): JobDeclaration {
  const violations = goalViolations(job, index);
  assertNone(violations);
  const goal = job.primaryMetricGoal === MetricGoal.MAXIMIZE ? "maximize" : "minimize";
  return {
    name: job.name,
    overrides: job.overrides.map(overrideOf),
    ...(job.primaryMetric ? { primaryMetric: { name: job.primaryMetric, goal } } : {}),
    stallTimeoutSeconds: job.stallTimeoutSeconds || DEFAULT_STALL_TIMEOUT_SECONDS,
    heartbeatTimeoutSeconds: job.heartbeatTimeoutSeconds || DEFAULT_HEARTBEAT_TIMEOUT_SECONDS,
    leaseExpiryPolicy: job.leaseExpiryPolicy === LeaseExpiryPolicy.PAUSE ? "pause" : "keep",
    configuration: job.configuration?.text || "{}",
  };
}

function goalViolations({ primaryMetric, primaryMetricGoal }: TrainingJob, index: number): FieldViolation[] {
  if (!primaryMetric || primaryMetricGoal !== MetricGoal.UNSPECIFIED) return [];
  const field = `jobs[${index}].primary_metric_goal`;
  return [{ field, reason: "REQUIRED", description: "is required with primary_metric" }];
}

function overrideOf({ key, type, class: when, minimum, maximum, allowed }: OverrideDeclarationMessage) {
  return {
    key,
    type: OVERRIDE_TYPES[type],
    class: OVERRIDE_CLASSES[when],
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    allowed: [...allowed],
  };
}

/** The run as a message, with what its jobs' logs have left. */
export function runMessage(run: Run, snapshots: readonly JobSnapshot[]): RunMessage {
  const jobs = run.jobs.flatMap((declaration, index) => {
    const job = snapshots[index];
    return job ? [jobMessage(declaration, job)] : [];
  });
  const { id, pipelineId, name, createdAt } = run;
  return create(RunSchema, { id, pipelineId, name, jobs, createdAt: timestampFromDate(createdAt) });
}

/** A job as a message: as declared, and as it stands. */
export function jobMessage(declaration: JobDeclaration, job: JobSnapshot): JobRead {
  const { name, overrides, primaryMetric, stallTimeoutSeconds, heartbeatTimeoutSeconds, configuration } = declaration;
  const goal = primaryMetric?.goal === "maximize" ? MetricGoal.MAXIMIZE : MetricGoal.MINIMIZE;
  return create(JobReadSchema, {
    job: {
      name,
      overrides: overrides.map((override) => ({
        ...override,
        type: OVERRIDE_TYPE_NUMBERS[override.type],
        class: OVERRIDE_CLASS_NUMBERS[override.class],
      })),
      primaryMetric: primaryMetric?.name ?? "",
      primaryMetricGoal: primaryMetric ? goal : MetricGoal.UNSPECIFIED,
      stallTimeoutSeconds,
      heartbeatTimeoutSeconds,
      leaseExpiryPolicy: declaration.leaseExpiryPolicy === "pause" ? LeaseExpiryPolicy.PAUSE : LeaseExpiryPolicy.KEEP,
      configuration: { text: configuration },
    },
    state: STATE_NUMBERS[job.state],
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
