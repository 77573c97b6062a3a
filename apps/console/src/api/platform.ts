import { type components, createPlatformClient, sharedStreams } from "@aiplatform/client";
import { streamConnection } from "./stream-connection.ts";

/** Where the API is: the gateway serves both. */
export const apiUrl: string = location.origin;

/** The API, called with the session cookie. A reader waits: few repeats, and short ones. */
export const platform = createPlatformClient({
  baseUrl: apiUrl,
  retry: { limit: 2, maxPauseMs: 2_000, timeoutMs: 20_000 },
});

/** Streams, all over one connection of the tab: a browser has six for each origin. */
export const streams = sharedStreams(platform, { onState: streamConnection.set });

type Schemas = components["schemas"];
export type Run = Schemas["Run"];
export type Job = Schemas["JobRead"];
export type JobDetail = Schemas["JobDetail"];
export type Command = Schemas["TrainingControlCommandRead"];
export type CommandAction = Schemas["TrainingControlAction"];
export type CommandPreview = Schemas["ControlCommandPreview"];
export type Checkpoint = Schemas["Checkpoint-Output"];
export type OverrideDeclaration = Schemas["OverrideDeclaration-Output"];
export type Pipeline = Schemas["Pipeline"];
export type LiveMetrics = Schemas["RunLiveMetrics"];
export type Segment = Schemas["RunSegment"];
export type RunComparison = Schemas["RunComparison"];
export type LoggedLine = Schemas["LoggedLine"];
export type SupervisionLease = Schemas["SupervisionLease"];
export type Deployment = Schemas["CustomServingDeployment"];
export type DeploymentVersion = Schemas["DeploymentVersion"];
export type ServingState = Schemas["ServingState"];
export type Rollout = Schemas["Rollout"];
export type Model = Schemas["Model"];
export type ModelVersion = Schemas["ModelVersion"];
export type Automation = Schemas["Automation"];
export type AutomationVersion = Schemas["AutomationVersion"];
export type AutomationVersionEntry = Schemas["AutomationVersionEntry"];
export type AutomationStep = Schemas["AutomationStep"];
export type AutomationRun = Schemas["AutomationRun"];
export type AutomationStepRun = Schemas["AutomationStepRun"];
export type AutomationSettings = Schemas["AutomationSettings"];
export type Dataset = Schemas["Dataset"];
export type DictionaryEntry = Schemas["DataDictionaryEntry"];
export type DictionaryChange = Schemas["DataDictionaryChange"];
export type SearchResult = Schemas["SearchResult"];
export type Member = Schemas["Member"];
export type Role = Schemas["Role"];
export type Permission = Schemas["Permission"];
export type PermissionId = Schemas["CreateRoleRequest"]["permission_ids"][number];
export type ApiKey = Schemas["ApiKey"];
export type ApiKeyPolicy = Schemas["ApiKeyPolicy"];
export type BrowserSession = Schemas["Session"];
export type AuditRecord = Schemas["AuditRecord"];
export type Quota = Schemas["Quota"];
export type ExternalLink = Schemas["ExternalLink"];
export type Workspace = Schemas["Workspace"];
export type WorkspaceAsset = Schemas["WorkspaceAsset"];
export type WorkspaceSettings = Schemas["WorkspaceSettings"];
export type Feature = Schemas["Feature"];
export type FeatureUsage = Schemas["AffectedAsset"];
export type FeatureDeletion = Schemas["FeatureDeleteResult"];
export type EmailDraft = Schemas["EmailDraft"];
export type EmailDelivery = Schemas["EmailDelivery"];
export type SendingProgress = Schemas["EmailSendingProgress"];

/** What names a job: its run and its name. */
export interface JobAddress {
  pipeline_id: string;
  run_id: string;
  job_name: string;
}
