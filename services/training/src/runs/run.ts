import { InvalidFieldsError } from "@aiplatform/service-host";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { ActiveJobsError } from "../job-log/active-jobs.ts";
import type { JobReference } from "../job-log/job-entry.ts";

/** When an override may be given: hot with any action that takes overrides, cold only with a warm restart. */
export type OverrideClass = "hot" | "cold" | "resources";

/** A key that a job takes in `runtime_overrides`. */
export interface OverrideDeclaration {
  key: string;
  type: "number" | "integer" | "boolean" | "string";
  class: OverrideClass;
  minimum?: number;
  maximum?: number;
  /** Values of a string; empty: any. */
  allowed: string[];
}

/** Decides which checkpoint is best. */
export interface PrimaryMetric {
  name: string;
  goal: "maximize" | "minimize";
}

/** A job as declared with its run; it never changes. */
export interface JobDeclaration {
  name: string;
  overrides: OverrideDeclaration[];
  primaryMetric?: PrimaryMetric;
  /** Seconds without progress after which a running job counts as stalled. */
  stallTimeoutSeconds: number;
  /** Seconds without a heartbeat after which a job counts as lost. */
  heartbeatTimeoutSeconds: number;
  leaseExpiryPolicy: "keep" | "pause";
  /** JSON text of an object, handed to the trainer as it is. */
  configuration: string;
}

/** A text that a run is found by. */
export interface Tag {
  name: string;
  value: string;
}

/** A version of a dataset that a run reads, as it was when the run was created; versions never change. */
export interface RunDataset {
  /** By which trainers find it; unique in the run. */
  name: string;
  datasetId: string;
  versionId: string;
  number: number;
  /** Of its Parquet file, hexadecimal. */
  contentSha256: string;
  rowCount: number;
  /** Of its Parquet file. */
  sizeBytes: number;
}

/** A run. Its jobs never change, and parameters are only added; the state of its jobs is in their logs. */
export interface Run {
  id: string;
  organisationId: string;
  pipelineId: string;
  name: string;
  jobs: JobDeclaration[];
  /** By name. */
  tags: Tag[];
  notes: string;
  /** JSON text of an object, as it was sent. */
  parameters: string;
  datasets: RunDataset[];
  createdAt: Date;
  updatedAt: Date;
  /** Absent while it is not archived. */
  archivedAt?: Date;
}

/** What a caller may change of a run; what is undefined stays as it is. */
export interface RunChange {
  name?: string | undefined;
  notes?: string | undefined;
  /** Tags to set; those with an empty value are removed, others stay. */
  tags?: Readonly<Record<string, string>> | undefined;
}

const maxTags = 100;

/** The jobs of a run, in the order declared. */
export function jobsOf({ organisationId, pipelineId, id: runId, jobs }: Run): JobReference[] {
  return jobs.map(({ name: jobName }) => ({ organisationId, pipelineId, runId, jobName }));
}

/** Bytes of what a run declares, as JSON: configurations, overrides and parameters are what can be large. */
export function bytesOfRun({ jobs, parameters }: Pick<Run, "jobs" | "parameters">): number {
  return Buffer.byteLength(JSON.stringify(jobs)) + (parameters === "{}" ? 0 : Buffer.byteLength(parameters));
}

/** As they are stored: by name. */
export function tagsOf(tags: Readonly<Record<string, string>>): Tag[] {
  const named = Object.entries(tags).map(([name, value]) => ({ name, value }));
  return named.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The run after the change; itself where that changes nothing. @throws TooManyTagsError */
export function changedRun(run: Run, { name = run.name, notes = run.notes, tags = {} }: RunChange, at: Date): Run {
  const merged = tagsOf({ ...Object.fromEntries(run.tags.map((tag) => [tag.name, tag.value])), ...tags });
  const kept = merged.filter(({ value }) => value !== "");
  if (kept.length > maxTags) throw new TooManyTagsError(kept.length);
  const isSame = name === run.name && notes === run.notes && JSON.stringify(kept) === JSON.stringify(run.tags);
  return isSame ? run : { ...run, name, notes, tags: kept, updatedAt: at };
}

/** The run would have more tags than a run can. */
export class TooManyTagsError extends InvalidFieldsError {
  override name = "TooManyTagsError";
  constructor(count: number) {
    const description = `the run would have ${count} tags, and it can have ${maxTags}`;
    super([{ field: "tags", reason: "TAGS_TOO_MANY", description }]);
  }
}

/** Jobs of the run are active. */
export class RunActiveError extends ActiveJobsError {
  override name = "RunActiveError";
}

/** No trainer takes a job of an archived run. */
export class RunArchivedError extends Error {
  override name = "RunArchivedError";
  constructor() {
    super("The run is archived. Restore it first");
  }
}

/** It does not exist, or belongs to another organisation: the two look the same. */
export class RunNotFoundError extends NotFoundError {
  override name = "RunNotFoundError";
}

/** Stall timeout of a job that declares none. */
export const defaultStallTimeoutSeconds = 120;
/** Heartbeat timeout of a job that declares none. */
export const defaultHeartbeatTimeoutSeconds = 60;
