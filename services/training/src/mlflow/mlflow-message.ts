import {
  type MlflowExperiment,
  MlflowExperimentSchema,
  type MlflowMetric,
  MlflowMetricSchema,
  type MlflowRun,
  type MlflowRunInfo,
  MlflowRunInfoSchema,
  MlflowRunSchema,
} from "@aiplatform/contract/aiplatform/training/v1/mlflow";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { JobSnapshot } from "../job-log/job-snapshot.ts";
import type { Pipeline } from "../pipelines/pipeline.ts";
import type { NewestPoint } from "../run-metrics/final-metrics.ts";
import type { Run } from "../runs/run.ts";
import { artifactUri } from "./experiment.ts";
import { textsOf } from "./flat-object.ts";
import { endOfJobs, statusOfJobs } from "./run-status.ts";
import { nameTag, notesTag } from "./run-tags.ts";

export function experimentMessage({ id, name, annotations, ...pipeline }: Pipeline): MlflowExperiment {
  return create(MlflowExperimentSchema, {
    ...{ experimentId: id, name, artifactLocation: artifactUri(id), tags: pairsOf(textsOf(annotations)) },
    lifecycleStage: stageOf(pipeline),
    lastUpdateTime: msOf(pipeline.updatedAt),
    creationTime: msOf(pipeline.createdAt),
  });
}

export function runInfoMessage(run: Run, jobs: readonly JobSnapshot[]): MlflowRunInfo {
  const { id, pipelineId, name, tags, createdAt } = run;
  const endedAt = endOfJobs(jobs);
  return create(MlflowRunInfoSchema, {
    ...{ runId: id, runUuid: id, runName: name, experimentId: pipelineId, status: statusOfJobs(jobs) },
    userId: tags.find((tag) => tag.name === "mlflow.user")?.value ?? "",
    startTime: msOf(createdAt),
    ...(endedAt ? { endTime: msOf(endedAt) } : {}),
    artifactUri: artifactUri(pipelineId, id),
    lifecycleStage: stageOf(run),
  });
}

export function mlflowRunMessage(
  run: Run,
  jobs: readonly JobSnapshot[],
  metrics: MessageInitShape<typeof MlflowMetricSchema>[],
): MlflowRun {
  const notes = run.notes === "" ? [] : [{ key: notesTag, value: run.notes }];
  const tags = run.tags.map(({ name: key, value }) => ({ key, value }));
  return create(MlflowRunSchema, {
    info: runInfoMessage(run, jobs),
    data: {
      metrics,
      params: pairsOf(textsOf(run.parameters)),
      tags: [...tags, { key: nameTag, value: run.name }, ...notes],
    },
  });
}

export function metricMessage({ name: key, value, step, at }: NewestPoint): MlflowMetric {
  return create(MlflowMetricSchema, { key, value, step, timestamp: BigInt(Math.floor(at)) });
}

function pairsOf(texts: ReadonlyMap<string, string>): { key: string; value: string }[] {
  return [...texts].map(([key, value]) => ({ key, value }));
}

function stageOf({ archivedAt }: { archivedAt?: Date | undefined }): string {
  return archivedAt ? "deleted" : "active";
}

function msOf(time: Date): bigint {
  return BigInt(time.getTime());
}
