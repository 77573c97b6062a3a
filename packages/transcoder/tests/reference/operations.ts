import type { Operation } from "./damaged-requests.ts";

const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
const run = "/pipelines/{pipeline_id:uuid}/runs/{run_id:uuid}";

/** Every operation that the reference has, with a good request. */
export const operations: readonly Operation[] = [
  {
    name: "training commands",
    method: "POST",
    path: `${run}/training/{job_name}/commands`,
    query: {},
    body: {
      action: "pause",
      checkpoint_id: id,
      runtime_overrides: { learning_rate: 0.001 },
      idempotency_key: id,
      supervision_id: id,
      supervision_lease_token: null,
    },
  },
  {
    name: "external accounts",
    method: "POST",
    path: "/external-oauth/socialnet/start",
    query: { relink: "true" },
    body: { secret_name: "crm", secret_description: "the CRM" },
  },
  {
    name: "custom serving deployments",
    method: "POST",
    path: "/deployments/custom-serving/",
    query: {},
    body: {
      name: "sales",
      description: "of sales",
      serving_bundle: {
        schema_version: "serving.v1",
        runtime: { type: "python", value: "3.11" },
        interface: { input: { type: "object" }, output: {} },
        name: "bundle",
        description: "",
        artifacts: [{ name: "model", path: "model.bin", kind: "file" }],
        datasets: [{ dataset_id: id, alias: "d" }],
      },
      model_refs: [{ model_id: id, alias: "m" }],
      artifacts: [{ name: "model", content: { a: [1, 2.5, null] }, content_type: "application/json" }],
      serverless_run_config: { cpu: 1 },
    },
  },
  {
    name: "workspaces",
    method: "POST",
    path: "/workspaces/enable-from-proposal/",
    query: {},
    body: {
      algorithm_version: "v1",
      workspaces: [
        {
          name: "Sales",
          draft_id: "d1",
          description: "",
          seed_asset_id: id,
          assets: [
            { asset_id: id, asset_name: "a", role: "primary", source: "auto", confidence: 0.5, evidence: { score: 1 } },
          ],
        },
      ],
    },
  },
  {
    name: "roles",
    method: "POST",
    path: "/organisations/roles/",
    query: {},
    body: { name: "Analyst", slug: "analyst-1", permission_ids: ["metrics:read", "audit:read"] },
  },
  { name: "deployments", method: "POST", path: "/deployments/", query: {}, body: { model_id: id } },
  {
    name: "data dictionaries",
    method: "PATCH",
    path: "/data-dictionary/{dataset_id}/",
    query: { override: "true", dry_run: "0" },
    body: [
      { name: "a", description: "first" },
      { name: "b", description: "" },
    ],
  },
  {
    name: "live metrics",
    method: "GET",
    path: `${run}/metrics/`,
    query: {
      after_sequence: "0",
      max_points: "500",
      metric: "loss",
      segment: "1",
      job_name: "train-1",
      include_archived: "false",
      wait_seconds: "0",
    },
  },
  { name: "automations", method: "GET", path: "/automations/", query: { limit: "10", cursor: "c" } },
  { name: "email drafts", method: "POST", path: "/email-drafts/{draft_id}/send/", query: {} },
  {
    name: "feature memory",
    method: "DELETE",
    path: "/feature-memory/{feature_key}/",
    query: { dry_run: "true", keep: "0" },
  },
];
