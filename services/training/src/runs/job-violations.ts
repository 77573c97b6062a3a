import {
  MetricGoal,
  type RunDatasetReference,
  type TrainingJob,
} from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { JsonObject } from "@aiplatform/contract/transcoder/v1/json";
import type { FieldViolation } from "@aiplatform/service-host";

/** Everything that is wrong with the jobs of a new run and that no schema can say. */
export function jobViolations(jobs: readonly TrainingJob[]): FieldViolation[] {
  const names = jobs.map(({ name }) => name);
  return [...repeated("jobs", names), ...jobs.flatMap((job, index) => violationsOf(job, `jobs[${index}]`))];
}

/** What is wrong with the names of the datasets of a new run. */
export function datasetViolations(datasets: readonly Pick<RunDatasetReference, "name">[]): FieldViolation[] {
  return repeated(
    "datasets",
    datasets.map(({ name }) => name),
  );
}

/** Bytes of JSON text. */
const maxParameterBytes = 65_536;

/** What is wrong with the parameters of a new run that no schema can say. */
export function parametersViolations(parameters: Pick<JsonObject, "text"> | undefined): FieldViolation[] {
  if (Buffer.byteLength(parameters?.text ?? "") <= maxParameterBytes) return [];
  const description = `has more than ${maxParameterBytes} bytes`;
  return [{ field: "parameters", reason: "PARAMETERS_TOO_LONG", description }];
}

function violationsOf({ primaryMetric, primaryMetricGoal, overrides }: TrainingJob, path: string): FieldViolation[] {
  const field = `${path}.primary_metric_goal`;
  const keys = overrides.map(({ key }) => key);
  return [
    ...(primaryMetric && primaryMetricGoal === MetricGoal.UNSPECIFIED
      ? [{ field, reason: "REQUIRED", description: "is required with primary_metric" }]
      : []),
    ...repeated(`${path}.overrides`, keys),
  ];
}

/** One for each name that is there more than once. */
function repeated(field: string, names: readonly string[]): FieldViolation[] {
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => ({ field, reason: "DUPLICATE_NAME", description: `${name} is there twice` }));
}
