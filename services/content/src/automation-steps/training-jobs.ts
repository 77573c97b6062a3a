import {
  type RunDatasetReference,
  RunDatasetReferenceSchema,
  type TrainingJob,
  TrainingJobSchema,
} from "@aiplatform/contract/aiplatform/training/v1/runs";
import { JsonObjectSchema } from "@aiplatform/contract/transcoder/v1/json";
import { clone, create, fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { StepFailedError } from "./step-outcome.ts";

/**
 * The jobs as a step writes them: the contract's TrainingJob with the words of its enums in lower case, and the
 * configuration as JSON itself.
 * @throws StepFailedError
 */
export function writtenJobs(written: unknown): TrainingJob[] {
  if (!Array.isArray(written)) throw new StepFailedError("jobs: must be a list");
  return written.map((job: unknown, index) => writtenJob(job, `jobs[${index}]`));
}

/** The versions of datasets as a step writes them: a list of the contract's RunDatasetReference. @throws StepFailedError */
export function writtenDatasets(written: unknown): RunDatasetReference[] {
  if (written === undefined) return [];
  if (!Array.isArray(written)) throw new StepFailedError("datasets: must be a list");
  return written.map((dataset: JsonValue, index) => {
    try {
      return fromJson(RunDatasetReferenceSchema, dataset);
    } catch (cause) {
      throw unreadable(`datasets[${index}]`, cause);
    }
  });
}

/** The jobs once more, with these members of each configuration in place of what stood there. */
export function withConfiguration(jobs: readonly TrainingJob[], changes: unknown): TrainingJob[] {
  if (!isObject(changes)) return [...jobs];
  return jobs.map((job) => {
    const before: unknown = JSON.parse(job.configuration?.text || "{}");
    const changed = clone(TrainingJobSchema, job);
    changed.configuration = jsonText({ ...(isObject(before) ? before : {}), ...changes });
    return changed;
  });
}

function writtenJob(written: unknown, place: string): TrainingJob {
  if (!isObject(written)) throw new StepFailedError(`${place}: must be an object`);
  const { configuration = {}, overrides, ...members } = written;
  const fields = {
    ...members,
    ...enumWord(members, "primary_metric_goal", "METRIC_GOAL"),
    ...enumWord(members, "lease_expiry_policy", "LEASE_EXPIRY_POLICY"),
    ...(Array.isArray(overrides) ? { overrides: overrides.map(overrideJson) } : {}),
  };
  try {
    const job = fromJson(TrainingJobSchema, fields);
    job.configuration = jsonText(configuration);
    return job;
  } catch (cause) {
    throw unreadable(place, cause);
  }
}

function unreadable(place: string, cause: unknown): StepFailedError {
  const said = cause instanceof Error ? cause.message : "cannot be read";
  return new StepFailedError(`${place}: ${said}`, { cause });
}

function overrideJson(written: JsonValue): JsonValue {
  if (!isObject(written)) return written;
  return {
    ...written,
    ...enumWord(written, "type", "OVERRIDE_TYPE"),
    ...enumWord(written, "class", "OVERRIDE_CLASS"),
  };
}

/** `maximize` → `METRIC_GOAL_MAXIMIZE` */
function enumWord(members: JsonObject, name: string, prefix: string): JsonObject {
  const word = members[name];
  return typeof word === "string" ? { [name]: `${prefix}_${word.toUpperCase()}` } : {};
}

function jsonText(value: JsonValue) {
  return create(JsonObjectSchema, { text: JSON.stringify(value) });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
