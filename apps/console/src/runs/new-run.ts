import type { components } from "@aiplatform/client";
import type { Job } from "../api/platform.ts";

type NewRun = components["schemas"]["CreateRunRequest"];
type NewJob = components["schemas"]["TrainingJob-Input"];
type RunDataset = components["schemas"]["RunDatasetReference"];

/** What the form of a new run holds: texts, as they were typed. */
export interface RunForm {
  name: string;
  jobName: string;
  primaryMetric: string;
  goal: string;
  configuration: string;
  tags: string;
  /** Jobs of the run that is copied; the first one gets the configuration of the form. */
  copied: readonly Job[];
  /** Versions of datasets that the copied run reads. */
  datasets: readonly RunDataset[];
}

/** What a form means, or what is wrong with its fields. */
export type RunReading = { body: NewRun } | { problems: Partial<Record<keyof RunForm, string>> };

/** Reads the form of a new run. What only the platform knows it says itself. */
export function readRunForm(form: RunForm): RunReading {
  const configuration = readObject(form.configuration);
  const tags = readTags(form.tags);
  const problems = {
    ...(form.name.trim() === "" && { name: "Type a name." }),
    ...(form.copied.length === 0 && form.jobName.trim() === "" && { jobName: "Type a name." }),
    ...(configuration === undefined && { configuration: "Type a JSON object, such as {}." }),
    ...(tags === undefined && { tags: "Write each tag as key=value, with commas between." }),
  };
  if (Object.keys(problems).length > 0 || !configuration || !tags) return { problems };
  const datasets = form.datasets.map(({ name, dataset_id, version_id }) => ({ name, dataset_id, version_id }));
  return { body: { name: form.name.trim(), jobs: jobsOf(form, configuration), datasets, tags } };
}

function jobsOf(form: RunForm, configuration: Record<string, unknown>): NewJob[] {
  const copied = form.copied.flatMap(({ job }) => (job ? [job] : []));
  if (copied.length > 0) return copied.map((job, index) => (index === 0 ? { ...job, configuration } : job));
  const metric = form.primaryMetric.trim();
  const primary: Partial<NewJob> = {
    primary_metric: metric,
    primary_metric_goal: form.goal === "minimize" ? "minimize" : "maximize",
  };
  return [{ name: form.jobName.trim(), configuration, ...(metric !== "" && primary) }];
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function readTags(text: string): Record<string, string> | undefined {
  const parts = text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
  const pairs = parts.map((each) =>
    /^([^=]+)=(.+)$/
      .exec(each)
      ?.slice(1)
      .map((side) => side.trim()),
  );
  if (pairs.some((pair) => pair === undefined)) return undefined;
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[0] ?? "", pair[1] ?? ""]] : [])));
}
