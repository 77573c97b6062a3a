/** Maps that order runs, with where documents have their entries. */
const valueBindings = {
  metrics: { entries: "metrics", hasUniqueKeys: true },
  configuration: { entries: "configuration" },
  parameters: { entries: "parameter_values" },
};

/** Fields of runs that documents have elsewhere. */
export const runBindings = {
  ...valueBindings,
  "jobs.state": "job_states.state",
  tags: { entries: "tags", keyName: "name" },
};

/** Where runs have the values of the maps that order them. */
export const valueMembers: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(valueBindings).map(([path, { entries }]) => [path, entries]),
);

/** Indexes that have runs in order, by field. */
export const orderIndexes = {
  name: { all: "by_name", ofPipeline: "of_pipeline_by_name" },
  created_at: { all: "newest", ofPipeline: "of_pipeline" },
};

/** Indexes that answer conditions, by field. */
export const conditionIndexes: Readonly<Record<string, { all: string; ofPipeline?: string }>> = {
  ...orderIndexes,
  pipeline_id: { all: "of_pipeline" },
  "jobs.state": { all: "by_state" },
  "datasets.version_id": { all: "by_dataset_version" },
  tags: { all: "by_tag" },
  archived_at: { all: "by_archival" },
  metrics: { all: "by_metric" },
  parameters: { all: "by_parameter" },
  configuration: { all: "by_configuration" },
};
