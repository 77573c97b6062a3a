import { randomUUID } from "node:crypto";
import {
  columnName,
  deployedBundle,
  modelArtifactSha256,
  type OrganisationEnvironment,
  promptStep,
  rowRecipe,
} from "./organisation-environment.ts";
import type { Input } from "./rpc-calls.ts";
import { job, medium, type Requests, readVersion, trainingRequests } from "./tenancy-training-requests.ts";

const deployment = ({ ids }: OrganisationEnvironment) => ({ deployment_id: ids.deployment });
const noMore = { source_ids: [], known_ids: [] };
const datasetVersion = ({ ids }: OrganisationEnvironment) => ({
  dataset_id: ids.dataset,
  version_id: ids.dataset_version,
});
const datasetEmbedding = (environment: OrganisationEnvironment) => ({
  ...datasetVersion(environment),
  embedding_id: environment.ids.dataset_embedding,
});
const datasetVectors = ({ ids }: OrganisationEnvironment) => ({
  dataset_id: ids.dataset,
  embedding_id: ids.dataset_embedding,
});
const bundle = ({ ids }: OrganisationEnvironment) => ({
  ...deployedBundle,
  serving_bundle: { ...deployedBundle.serving_bundle, datasets: [{ dataset_id: ids.dataset, alias: "table" }] },
  model_refs: [{ model_id: ids.model, alias: "table" }],
});
const asset = ({ ids }: OrganisationEnvironment) => ({
  asset_id: ids.asset,
  role: "primary",
  source: "manual",
  confidence: 1,
});

const embedStep = {
  ...{ dataset_id: randomUUID(), version_id: randomUUID(), deployment_id: randomUUID() },
  ...{ input: "a", output: "b", template: "{% raw %}{{age}}{% endraw %}" },
};

/** Steps as messages, by type and field, without the ids that they need. */
const typedSteps: Readonly<Record<string, Input>> = {
  "dictionary.dataset_id": { dictionary: { entries: [{ name: "age" }] } },
  "email.recipient_member_ids": { email: { subject: "Table", text: "Table", recipient_member_ids: [randomUUID()] } },
  "train.pipeline_id": { train: { action: "TRAIN_STEP_ACTION_PAUSE", run_id: randomUUID() } },
  "train.run_id": { train: { action: "TRAIN_STEP_ACTION_PAUSE" } },
  "train.from_run_id": { train: { action: "TRAIN_STEP_ACTION_START_RUN" } },
  "train.checkpoint_id": { train: { action: "TRAIN_STEP_ACTION_ROLLBACK", run_id: randomUUID() } },
  "deploy.model_id": { deploy: {} },
  "deploy.deployment_id": { deploy: {} },
  "deploy.model_version_id": { deploy: { deployment_id: randomUUID() } },
  "dataset.dataset_id": { dataset: { rows: { text: '[{"age":1}]' } } },
  "embed.dataset_id": { embed: embedStep },
  "embed.version_id": { embed: embedStep },
  "embed.deployment_id": { embed: embedStep },
};

function stepFor(place: readonly string[]): Input {
  const template = typedSteps[place.slice(-2).join(".")];
  return template ? { key: "table", name: "Table", template } : promptStep;
}

/** For each RPC with a position in it. */
export const requests: Requests = {
  "ApiKeyService/CreateApiKey": () => ({ name: "table", permission_ids: ["metrics:read"] }),
  "ApiKeyService/GetApiKey": ({ ids }) => ({ api_key_id: ids.api_key }),
  "ApiKeyService/RotateApiKey": ({ ids }) => ({ api_key_id: ids.api_key }),
  "ApiKeyService/RevokeApiKey": ({ ids }) => ({ api_key_id: ids.api_key }),
  "SessionService/CreateSession": () => ({}),
  "SessionService/RevokeSession": ({ ids }) => ({ session_id: ids.session }),
  "AuditService/ListAuditRecords": () => ({ limit: 1, action: "identity.organisation.created" }),
  "AutomationService/GetAutomation": ({ ids }) => ({ automation_id: ids.automation }),
  "AutomationService/GetAutomationDraft": ({ ids }) => ({ automation_id: ids.automation }),
  "AutomationService/SaveAutomationDraft": (o, place) => ({ automation_id: o.ids.automation, steps: [stepFor(place)] }),
  "AutomationService/PublishAutomation": ({ ids }) => ({ automation_id: ids.automation, if_match: "*" }),
  "AutomationService/ListAutomationVersions": ({ ids }) => ({ automation_id: ids.automation }),
  "AutomationService/DeleteAutomation": ({ ids }) => ({ automation_id: ids.automation }),
  "AutomationService/StartAutomationRun": ({ ids }) => ({ automation_id: ids.automation }),
  "AutomationService/ListAutomationRuns": ({ ids }) => ({ automation_id: ids.automation }),
  "AutomationService/GetAutomationRun": ({ ids }) => ({ run_id: ids.automation_run }),
  "AutomationService/CancelAutomationRun": ({ ids }) => ({ run_id: ids.automation_run }),
  "AutomationService/GetAutomationSettings": ({ ids }) => ({ automation_id: ids.automation }),
  "AutomationService/UpdateAutomationSettings": ({ ids }) => ({
    automation_id: ids.automation,
    owner_member_id: ids.member,
  }),
  "DelegationService/CreateDelegation": () => ({
    delegation_id: randomUUID(),
    purpose: "table",
    permission_ids: ["metrics:read"],
  }),
  "DelegationService/RevokeDelegation": ({ ids }) => ({ delegation_id: ids.delegation }),
  "DataDictionaryService/PatchDataDictionary": ({ ids }) => ({
    dataset_id: ids.dataset,
    entries: [{ name: columnName, description: "Table" }],
  }),
  "DataDictionaryService/GetDataDictionary": ({ ids }) => ({ dataset_id: ids.dataset }),
  "DataDictionaryService/ListDataDictionaryHistory": ({ ids }) => ({ dataset_id: ids.dataset }),
  "DataDictionaryService/DeleteDataDictionaryEntry": ({ ids }) => ({ dataset_id: ids.dataset, name: columnName }),
  "DatasetService/GetDataset": ({ ids }) => ({ dataset_id: ids.dataset }),
  "DatasetService/InferDatasetColumns": ({ ids }) => ({
    dataset_id: ids.dataset,
    format: "csv",
    sample: Buffer.from(`${columnName}\n1\n`).toString("base64"),
  }),
  "DatasetService/SetDatasetSensitiveColumns": ({ ids }) => ({ dataset_id: ids.dataset, columns: [columnName] }),
  "DatasetService/DeleteDataset": ({ ids }) => ({ dataset_id: ids.dataset }),
  "StreamService/FollowStreams": ({ ids }) => ({
    streams: [{ path: `/platform/pipelines/${ids.pipeline}/runs/${ids.run}/metrics/stream`, last_event_id: "1" }],
  }),
  "DatasetVersionService/CreateDatasetVersion": (environment) => ({
    dataset_id: environment.ids.dataset,
    query: { sql: "SELECT * FROM t", views: [{ name: "t", ...datasetVersion(environment) }] },
  }),
  "DatasetVersionService/ListDatasetVersions": ({ ids }) => ({ dataset_id: ids.dataset }),
  "DatasetVersionService/CreateDatasetSuccessor": (environment) => ({
    ...datasetVersion(environment),
    filter: `${columnName}:*`,
    matching_rows: "keep",
  }),
  "DatasetVersionService/GetDatasetVersion": datasetVersion,
  "DatasetVersionService/ListDatasetRows": datasetVersion,
  "DatasetVersionService/GetDatasetStatistics": datasetVersion,
  "DatasetVersionService/DownloadDatasetVersion": datasetVersion,
  "DatasetVersionService/PurgeDatasetVersion": datasetVersion,
  "DatasetQueryService/QueryDatasets": (environment) => ({
    views: [{ name: "t", ...datasetVersion(environment) }],
    sql: "SELECT * FROM t",
  }),
  "DatasetEmbeddingService/CreateDatasetEmbedding": (environment) => ({
    ...datasetVersion(environment),
    recipe: { ...rowRecipe, deployment_id: environment.ids.deployment },
  }),
  "DatasetEmbeddingService/ListDatasetEmbeddings": datasetVersion,
  "DatasetEmbeddingService/GetDatasetEmbedding": datasetEmbedding,
  "DatasetEmbeddingService/CancelDatasetEmbedding": datasetEmbedding,
  "DatasetEmbeddingService/ListDatasetVectors": datasetVectors,
  "DatasetEmbeddingService/SearchDatasetVectors": (environment) => ({ ...datasetVectors(environment), row: 0 }),
  "DatasetPredictionService/DescribeDatasetPredictor": deployment,
  "DatasetPredictionService/PredictForDataset": ({ organisationId, ids }) => ({
    organisation_id: organisationId,
    deployment_id: ids.deployment,
    deployment_version_id: ids.deployment_version,
  }),
  "DatasetMarkService/FindSensitiveColumns": ({ organisationId, ids }) => ({
    organisation_id: organisationId,
    dataset_id: ids.dataset,
  }),
  "DatasetReferenceService/FindArtifactsOfDatasets": ({ organisationId }) => ({
    organisation_id: organisationId,
    artifact_sha256s: [modelArtifactSha256],
  }),
  "DatasetLineageService/FindLineageOfDatasets": ({ organisationId, ids }) => ({
    query: {
      organisation_id: organisationId,
      kind: "LINEAGE_KIND_DATASET_VERSION",
      ids: [ids.dataset_version],
      ...noMore,
    },
  }),
  "RunLineageService/FindLineageOfRuns": ({ organisationId, ids }) => ({
    query: { organisation_id: organisationId, kind: "LINEAGE_KIND_RUN", ids: [ids.run], ...noMore },
  }),
  "LineageService/GetLineage": ({ ids }) => ({ kind: "deployment", id: ids.deployment }),
  "LineageService/FindUses": ({ organisationId, ids }) => ({
    organisation_id: organisationId,
    of: { kind: "LINEAGE_KIND_RUN", id: ids.run },
  }),
  "DatasetArtifactService/ReadDatasetArtifact": ({ organisationId }) => ({
    organisation_id: organisationId,
    artifact_sha256: modelArtifactSha256,
  }),
  // Refused at its first message: it names no artifact. Whatever else it sends is waited for.
  "DatasetArtifactService/StoreDatasetArtifact": ({ organisationId }) => ({ organisation_id: organisationId }),
  "DatasetArtifactService/EraseDatasetArtifacts": ({ organisationId }) => ({
    organisation_id: organisationId,
    artifact_sha256s: ["0".repeat(64)],
  }),
  "EmailDraftService/SendEmailDraft": ({ ids }) => ({ draft_id: ids.email_draft }),
  "EmailDraftService/CreateEmailDraft": ({ ids }) => ({ subject: "Table", recipient_member_ids: [ids.member] }),
  "EmailDraftService/UpdateEmailDraft": ({ ids }) => ({
    draft_id: ids.email_draft,
    subject: "Table",
    recipient_member_ids: [ids.member],
  }),
  "EmailDraftService/GetEmailDraft": ({ ids }) => ({ draft_id: ids.email_draft }),
  "EmailDraftService/PreviewEmailDraft": ({ ids }) => ({ draft_id: ids.email_draft, member_id: ids.member }),
  "EmailDraftService/ListEmailDeliveries": ({ ids }) => ({ draft_id: ids.email_draft }),
  "EmailDraftService/WatchEmailSending": ({ ids }) => ({ draft_id: ids.email_draft }),
  "EmailDraftService/DeleteEmailDraft": ({ ids }) => ({ draft_id: ids.email_draft }),
  "FeatureMemoryService/PutFeature": ({ ids }) => ({ feature_key: randomUUID(), owner_member_id: ids.member }),
  "FeatureMemoryService/PutFeatureUsage": ({ ids }) => ({
    feature_key: ids.feature,
    asset_type: "model",
    asset_id: ids.model,
    asset_name: "Table",
  }),
  "FeatureMemoryService/DeleteFeatureUsage": ({ ids }) => ({
    feature_key: ids.feature,
    asset_type: "deployment",
    asset_id: "table",
  }),
  "DeploymentService/CreateDeployment": ({ ids }) => ({ model_id: ids.model }),
  "DeploymentService/CreateCustomServingDeployment": (environment) => ({ name: "Table", ...bundle(environment) }),
  "DeploymentService/GetDeployment": deployment,
  "DeploymentService/WatchDeployment": deployment,
  "DeploymentService/GetServingState": deployment,
  "DeploymentService/ListDeploymentVersions": deployment,
  "DeploymentService/ListRollouts": deployment,
  "DeploymentService/StartRollout": deployment,
  "DeploymentService/UpdateCustomServingDeployment": (environment) => ({
    ...deployment(environment),
    ...bundle(environment),
  }),
  "DeploymentService/RollBackDeployment": deployment,
  "DeploymentService/SetCanary": (environment, [place]) => ({
    ...deployment(environment),
    percent: 10,
    // One of the two, and never both.
    ...(place === "model_version_id" ? {} : { deployment_version_id: environment.ids.deployment_version }),
  }),
  "DeploymentService/EndCanary": deployment,
  "DeploymentService/PromoteDeployment": deployment,
  "DeploymentService/StopDeployment": deployment,
  "DeploymentService/StartDeployment": deployment,
  "DeploymentService/DeleteDeployment": deployment,
  "DeploymentService/ResolvePredictionRoute": deployment,
  "DeploymentService/ListDatasetUses": ({ ids }) => ({ dataset_id: ids.dataset }),
  "ExternalOauthService/GetExternalLink": ({ ids }) => ({ link_id: ids.link }),
  "ExternalOauthService/RevokeExternalLink": ({ ids }) => ({ link_id: ids.link }),
  "MemberService/CreateMember": ({ ids }) => ({
    member: { display_name: "Table", email: `${randomUUID()}@example.com` },
    role_ids: [ids.role],
  }),
  "MemberService/GetMember": ({ ids }) => ({ member_id: ids.member }),
  "MemberService/SetMemberRoles": ({ ids }) => ({ member_id: ids.member, role_ids: [ids.role] }),
  "MemberService/DeactivateMember": ({ ids }) => ({ member_id: ids.member }),
  "MemberService/ReactivateMember": ({ ids }) => ({ member_id: ids.member }),
  "MemberService/ResolveMembers": ({ ids }) => ({ member_ids: [ids.member] }),
  "ApiKeyService/ListApiKeys": ({ ids }) => ({ created_by_member_id: ids.member }),
  "MemberService/CheckMembers": ({ ids }) => ({ member_ids: [ids.member] }),
  "OrganisationService/SuspendOrganisation": () => ({ organisation_id: randomUUID() }),
  "OrganisationService/RestoreOrganisation": () => ({ organisation_id: randomUUID() }),
  "OrganisationService/GetOrganisationQuotas": () => ({ organisation_id: randomUUID() }),
  "OrganisationService/SetOrganisationQuotas": () => ({ organisation_id: randomUUID(), limits: { deployments: 1 } }),
  "OrganisationService/DeleteOrganisation": () => ({ organisation_id: randomUUID(), confirm_slug: "table" }),
  "OrganisationService/InspectOrganisation": () => ({ organisation_id: randomUUID() }),
  "RoleService/CreateRole": () => ({ name: "Table", slug: `r${randomUUID()}`, permission_ids: ["metrics:read"] }),
  "RoleService/GetRole": ({ ids }) => ({ role_id: ids.role }),
  "RoleService/UpdateRole": ({ ids }) => ({ role_id: ids.role, name: "Table", permission_ids: ["metrics:read"] }),
  "RoleService/DeleteRole": ({ ids }) => ({ role_id: ids.role }),
  "ArtifactService/DownloadModelVersion": ({ ids }) => ({ model_version_id: ids.model_version }),
  "ArtifactService/DownloadMedia": medium,
  "ArtifactService/DownloadRunDataset": readVersion,
  "ArtifactService/DownloadJobResult": job,
  "ModelService/GetModel": ({ ids }) => ({ model_id: ids.model }),
  "ModelService/CreateModelVersion": ({ ids }) => ({
    model_id: ids.model,
    format: "onnx",
    artifact_sha256: modelArtifactSha256,
  }),
  "ModelService/ListModelVersions": ({ ids }) => ({ model_id: ids.model }),
  "ModelService/GetModelVersion": ({ ids }) => ({ model_version_id: ids.model_version }),
  "ModelService/RetryModelVersion": ({ ids }) => ({ model_version_id: ids.model_version }),
  "WorkspaceService/EnableFromProposal": (environment) => ({
    algorithm_version: "1",
    workspaces: [
      { name: "Table", draft_id: randomUUID(), seed_asset_id: environment.ids.asset, assets: [asset(environment)] },
    ],
  }),
  "WorkspaceService/GetWorkspace": ({ ids }) => ({ workspace_id: ids.workspace }),
  "WorkspaceService/DeleteWorkspace": ({ ids }) => ({ workspace_id: ids.workspace }),
  "WorkspaceService/ListWorkspaceAssets": ({ ids }) => ({ workspace_id: ids.workspace }),
  "AssetService/RegisterAsset": () => ({ asset_id: randomUUID(), name: "Table", kind: "report", dataset_ids: ["d"] }),
  "AssetService/DeleteAsset": ({ ids }) => ({ asset_id: ids.asset }),
  "ArtifactReferenceService/FindReferencedArtifacts": ({ organisationId }) => ({
    organisation_id: organisationId,
    artifact_sha256s: ["0".repeat(64)],
  }),
  ...trainingRequests,
};
