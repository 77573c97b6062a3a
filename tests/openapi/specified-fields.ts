import type { Shape } from "./shape.ts";

// The tables of the interface specification, section by section. It says of few fields whether they are required or may be null; of the
// others `?` and `|null` say what the platform promises: answers have every field, and null stands for what is not there.

const deployment = {
  id: "uuid",
  name: "string",
  description: "string",
  service_name: "string",
  organisation_id: "string",
  "model_id|null": "uuid",
  "model_version_id|null": "uuid",
  status: "string",
  annotations: "object",
  created_at: "date-time",
  updated_at: "date-time",
} as const;

const commandRequest = {
  action: "string",
  "checkpoint_id?|null": "uuid",
  "runtime_overrides?": "object",
  idempotency_key: "uuid",
  "supervision_id?|null": "uuid",
  "supervision_lease_token?|null": "uuid",
} as const;

const command = {
  id: "uuid",
  sequence: "integer",
  action: "string",
  "checkpoint_id|null": "uuid",
  status: "string",
  idempotency_key: "uuid",
  "requested_by_member_id|null": "uuid",
  "detail|null": "string",
  runtime_overrides: "object",
  created_at: "date-time",
  "applied_at|null": "date-time",
} as const;

const servingBundle = {
  schema_version: "string",
  runtime: { type: "string", value: "string" },
  interface: { input: "object", output: "object" },
  name: "string",
  "description?": "string",
  "artifacts?": [{ name: "string", path: "string", kind: "string" }],
  "datasets?": [{ dataset_id: "uuid", alias: "string" }],
} as const;

const customServingRequest = {
  name: "string",
  serving_bundle: servingBundle,
  "description?": "string",
  "model_refs?": [{ model_id: "uuid", alias: "string" }],
  "artifacts?": [{ name: "string", content: "any", content_type: "string" }],
  "serverless_run_config?|null": "object",
} as const;

const customServing = {
  ...deployment,
  "target_model_version_id|null": "uuid",
  rollout_status: "string",
  "rollout_error|null": "string",
  rollout_request_id: "uuid",
  rollout_queued_at: "date-time",
  "serverless_run_config|null": "object",
  "current_deployment_version_id|null": "uuid",
  "lower_env_deployment_id|null": "uuid",
  "higher_env_deployment_id|null": "uuid",
} as const;

const proposal = {
  algorithm_version: "string",
  workspaces: [
    {
      name: "string",
      draft_id: "string",
      "description?": "string",
      "seed_asset_id?|null": "uuid",
      "assets?": [
        {
          asset_id: "uuid",
          "asset_name?": "string",
          role: "string",
          source: "string",
          confidence: "number",
          "evidence?": "object",
        },
      ],
    },
  ],
} as const;

const workspaceSettings = {
  organisation_id: "string",
  workspaces_enabled: "boolean",
  auto_grouping_enabled: "boolean",
  grouping_status: "string",
  "last_grouping_run_type|null": "string",
  "last_grouping_started_at|null": "date-time",
  "last_grouping_completed_at|null": "date-time",
  "last_grouping_error|null": "string",
  "grouping_algorithm_version|null": "string",
  created_at: "date-time",
  updated_at: "date-time",
} as const;

const roleRequest = { name: "string", slug: "string", permission_ids: ["string"] } as const;

const role = { id: "uuid", organisation_id: "string", is_system: "boolean", ...roleRequest } as const;

const dictionary = [{ name: "string", description: "string" }] as const;

const metrics = {
  status: "string",
  lifecycle: {
    current_phase: "string",
    "phase_started_at|null": "date-time",
    elapsed_seconds: "integer",
    "heartbeat_at|null": "date-time",
    "heartbeat_source|null": "string",
    "latest_log|null": { message: "string", source: "string", timestamp: "date-time" },
    phases: [
      {
        name: "string",
        status: "string",
        "started_at|null": "date-time",
        "finished_at|null": "date-time",
        elapsed_seconds: "integer",
      },
    ],
  },
  schema_version: "string",
  sequence: "integer",
  "updated_at|null": "date-time",
  metrics: "object",
  series: "object",
  primary_metric: "object",
  active_segment: "integer",
  segments: ["object"],
  resources: "object",
} as const;

const times = { created_at: "date-time", updated_at: "date-time" } as const;

const automation = {
  id: "uuid",
  name: "string",
  description: "string",
  organisation_id: "string",
  "current_version|null": {
    id: "uuid",
    automation_id: "uuid",
    steps: [{ id: "uuid", name: "string", prompt_template: "object", ...times }],
    step_transitions: [{ id: "uuid", source_step_id: "uuid", target_step_id: "uuid", label: "string" }],
    ...times,
  },
  ...times,
} as const;

const sendResult = {
  draft_id: "uuid",
  sent_count: "integer",
  failed_count: "integer",
  deliveries: [
    {
      recipient_member_id: "string",
      status: "string",
      "recipient_email|null": "email",
      "provider_message_id|null": "string",
      "error|null": "string",
    },
  ],
} as const;

const featureDeletion = {
  key: "string",
  hard_deleted: "boolean",
  status: "string",
  version: "integer",
  impact_warning: {
    message: "string",
    affected_assets: [
      {
        asset_type: "string",
        asset_id: "string",
        id: "uuid",
        feature_id: "uuid",
        organisation_id: "string",
        ...times,
        asset_name: "string",
        usage_notes: "string",
        annotations: "object",
        "created_by_member_id|null": "uuid",
        "updated_by_member_id|null": "uuid",
      },
    ],
  },
} as const;

/** What an operation of the specification takes and answers. */
export interface Specified {
  readonly request?: Shape;
  readonly response?: Shape;
  /** Path parameters. */
  readonly path?: Readonly<Record<string, string>>;
}

const run = { pipeline_id: "uuid", run_id: "uuid" };

/** Section 4: the operations by id. The answer of operation 11 is not specified. */
export const specified: Readonly<Record<string, Specified>> = {
  createTrainingControlCommand: { path: { ...run, job_name: "string" }, request: commandRequest, response: command },
  startSocialnetLink: { request: { secret_name: "string", "secret_description?": "string" }, response: "object" },
  createCustomServingDeployment: { request: customServingRequest, response: customServing },
  enableFromProposal: { request: proposal, response: workspaceSettings },
  createRole: { request: roleRequest, response: role },
  createDeployment: { request: { model_id: "uuid" }, response: deployment },
  patchDataDictionary: { path: { dataset_id: "string" }, request: dictionary, response: dictionary },
  getRunMetrics: { path: run, response: metrics },
  listAutomations: { response: [automation] },
  sendEmailDraft: { path: { draft_id: "string" }, response: sendResult },
  getNotebookSession: {},
  deleteFeature: { path: { feature_key: "string" }, response: featureDeletion },
};
