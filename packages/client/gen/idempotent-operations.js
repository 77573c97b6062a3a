// Generated from docs/openapi.json. Do not edit.
export const idempotentOperations = [
 "POST /platform/automations",
 "POST /platform/automations/{automation_id}/runs",
 "POST /platform/datasets",
 "POST /email-drafts/{draft_id}/send/",
 "POST /platform/email-drafts",
 "POST /platform/datasets/{dataset_id}/versions/{version_id}/embeddings",
 "POST /platform/datasets/{dataset_id}/versions",
 "POST /platform/datasets/{dataset_id}/versions/{version_id}/successors",
 "POST /deployments/",
 "POST /deployments/custom-serving/",
 "POST /platform/deployments/{deployment_id}/rollouts",
 "POST /platform/deployments/{deployment_id}/rollback",
 "POST /platform/deployments/{deployment_id}/promote",
 "POST /platform/models",
 "POST /external-oauth/socialnet/start",
 "POST /platform/external-oauth/{provider}/start",
 "POST /organisations/roles/",
 "POST /workspaces/enable-from-proposal/",
 "POST /platform/assets",
 "POST /platform/pipelines",
 "POST /platform/pipelines/{pipeline_id}/runs"
];
