import type { TenantDocument } from "@aiplatform/document-store";
import type { JobState } from "../job-log/job-state.ts";
import { type IndexedMetric, type IndexedValue, indexedConfiguration } from "./indexed-values.ts";
import { bytesOfJobs, type JobDeclaration, type Run } from "./run.ts";
import { type RunValue, runValueId } from "./run-value-store.ts";

/** The state of a job as lists find it: a copy of what its log says, at most a moment old. */
export interface ListedJobState {
  name: string;
  state: JobState;
  /** In the job's log. */
  position: number;
}

/** What a run is found by, beside what never changes. Absent in runs of earlier versions until they are indexed. */
export interface RunIndexFields {
  job_states: ListedJobState[];
  configuration: IndexedValue[];
  metrics: IndexedMetric[];
  /** Every report up to this sequence is in `metrics`. */
  metrics_sequence: number;
  /** When the run is looked at for reports that are not in `metrics`. */
  index_due_at: Date;
}

export interface RunDocument extends TenantDocument, Partial<RunIndexFields> {
  pipeline_id: string;
  name: string;
  jobs: JobDeclaration[];
  created_at: Date;
}

/** `index_due_at` of a run that nothing is missing of. */
export const neverDue = new Date(8_640_000_000_000_000);

/** What a run is found by before anything is reported of it. */
export function initialIndexFields(jobs: readonly JobDeclaration[]): RunIndexFields {
  return {
    job_states: jobs.map(({ name }) => ({ name, state: "queued", position: 0 })),
    configuration: indexedConfiguration(jobs),
    metrics: [],
    metrics_sequence: 0,
    index_due_at: neverDue,
  };
}

export function documentOf(run: Run): RunDocument & RunIndexFields {
  return {
    _id: run.id,
    organisation_id: run.organisationId,
    pipeline_id: run.pipelineId,
    name: run.name,
    jobs: run.jobs,
    created_at: run.createdAt,
    ...initialIndexFields(run.jobs),
  };
}

export function runOf({ _id, organisation_id, pipeline_id, name, jobs, created_at }: RunDocument): Run {
  return { id: _id, organisationId: organisation_id, pipelineId: pipeline_id, name, jobs, createdAt: created_at };
}

export function sizeOfRun({ jobs }: Pick<RunDocument, "jobs">): number {
  return bytesOfJobs(jobs);
}

/** The numbers of a configuration as documents of their own; of a key with several, the first. */
export function configurationValues(
  run: Pick<RunDocument, "_id" | "organisation_id" | "pipeline_id">,
  configuration: readonly IndexedValue[],
): RunValue[] {
  const values = new Map<string, RunValue>();
  for (const { key, value } of configuration) {
    const named = valueName(run, `configuration.${key}`);
    if (typeof value === "number" && !values.has(key)) values.set(key, { ...named, value });
  }
  return [...values.values()];
}

/** What names a value of a run. */
export function valueName(
  { _id, organisation_id, pipeline_id }: Pick<RunDocument, "_id" | "organisation_id" | "pipeline_id">,
  key: string,
): Omit<RunValue, "value"> {
  return { _id: runValueId(_id, key), organisation_id, pipeline_id, run_id: _id, key };
}
