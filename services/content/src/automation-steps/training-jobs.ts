import {
  type RunDatasetReference,
  RunDatasetReferenceSchema,
  type TrainingJob,
  TrainingJobSchema,
} from "@aiplatform/contract/aiplatform/training/v1/runs";
import { JsonObjectSchema } from "@aiplatform/contract/transcoder/v1/json";
import { clone, create, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { isJsonObject, writtenList, writtenMessage, writtenObject } from "./written-messages.ts";

/**
 * The jobs as a step writes them: the contract's TrainingJob with the words of its enums in lower case, and the
 * configuration as JSON itself.
 * @throws StepFailedError
 */
export function writtenJobs(written: unknown): TrainingJob[] {
  return writtenList(written, "jobs").map((job, index) => writtenJob(job, `jobs[${index}]`));
}

/** The versions of datasets as a step writes them: a list of the contract's RunDatasetReference. @throws StepFailedError */
export function writtenDatasets(written: unknown): RunDatasetReference[] {
  if (written === undefined) return [];
  return writtenList(written, "datasets").map((dataset, index) => {
    const place = `datasets[${index}]`;
    return writtenMessage(RunDatasetReferenceSchema, writtenObject(dataset, place), place);
  });
}

/** The jobs once more, with these members of each configuration in place of what stood there. */
export function withConfiguration(jobs: readonly TrainingJob[], changes: unknown): TrainingJob[] {
  if (!isJsonObject(changes)) return [...jobs];
  return jobs.map((job) => {
    const before: unknown = JSON.parse(job.configuration?.text || "{}");
    const changed = clone(TrainingJobSchema, job);
    changed.configuration = jsonText({ ...(isJsonObject(before) ? before : {}), ...changes });
    return changed;
  });
}

function writtenJob(written: unknown, place: string): TrainingJob {
  const { configuration = {}, overrides, ...members } = writtenObject(written, place);
  const fields = {
    ...members,
    ...enumWord(members, "primary_metric_goal", "METRIC_GOAL"),
    ...enumWord(members, "lease_expiry_policy", "LEASE_EXPIRY_POLICY"),
    ...(Array.isArray(overrides) ? { overrides: overrides.map(overrideJson) } : {}),
  };
  const job = writtenMessage(TrainingJobSchema, fields, place);
  job.configuration = jsonText(configuration);
  return job;
}

function overrideJson(written: JsonValue): JsonValue {
  if (!isJsonObject(written)) return written;
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
