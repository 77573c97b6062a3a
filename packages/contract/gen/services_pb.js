// @generated from the services of proto/aiplatform; never edited.

import { AutomationService } from "./aiplatform/content/v1/automations_pb.js";
import { DataDictionaryService } from "./aiplatform/content/v1/data_dictionaries_pb.js";
import { DatasetMarkService } from "./aiplatform/content/v1/dataset_marks_pb.js";
import { DatasetService } from "./aiplatform/content/v1/datasets_pb.js";
import { EmailDraftService } from "./aiplatform/content/v1/email_drafts_pb.js";
import { FeatureMemoryService } from "./aiplatform/content/v1/feature_memory_pb.js";
import { QuotaService } from "./aiplatform/content/v1/quotas_pb.js";
import { SearchService } from "./aiplatform/content/v1/search_pb.js";
import { DatasetEmbeddingService } from "./aiplatform/data/v1/dataset_embeddings_pb.js";
import { DatasetLineageService } from "./aiplatform/data/v1/dataset_lineage_pb.js";
import { DatasetQueryService } from "./aiplatform/data/v1/dataset_queries_pb.js";
import { DatasetReferenceService } from "./aiplatform/data/v1/dataset_references_pb.js";
import { DatasetVersionService } from "./aiplatform/data/v1/dataset_versions_pb.js";
import { DataQuotaService } from "./aiplatform/data/v1/quotas_pb.js";
import { ArtifactService } from "./aiplatform/deployments/v1/artifacts_pb.js";
import { DatasetArtifactService } from "./aiplatform/deployments/v1/dataset_artifacts_pb.js";
import { DatasetPredictionService } from "./aiplatform/deployments/v1/dataset_predictions_pb.js";
import { DeploymentService } from "./aiplatform/deployments/v1/deployments_pb.js";
import { LineageService } from "./aiplatform/deployments/v1/lineage_pb.js";
import { ModelService } from "./aiplatform/deployments/v1/models_pb.js";
import { DeploymentsQuotaService } from "./aiplatform/deployments/v1/quotas_pb.js";
import { RunFileService, MlflowArtifactService } from "./aiplatform/deployments/v1/run_files_pb.js";
import { DeploymentsSearchService } from "./aiplatform/deployments/v1/search_pb.js";
import { StreamService } from "./aiplatform/gateway/v1/streams_pb.js";
import { ApiKeyService } from "./aiplatform/identity/v1/api_keys_pb.js";
import { AuditService } from "./aiplatform/identity/v1/audit_pb.js";
import { CredentialService } from "./aiplatform/identity/v1/credentials_pb.js";
import { DelegationService } from "./aiplatform/identity/v1/delegations_pb.js";
import { ExternalOauthService } from "./aiplatform/identity/v1/external_oauth_pb.js";
import { MemberService } from "./aiplatform/identity/v1/members_pb.js";
import { NotebookSessionService } from "./aiplatform/identity/v1/notebook_sessions_pb.js";
import { OrganisationService } from "./aiplatform/identity/v1/organisations_pb.js";
import { IdentityQuotaService } from "./aiplatform/identity/v1/quotas_pb.js";
import { RoleService } from "./aiplatform/identity/v1/roles_pb.js";
import { IdentitySearchService } from "./aiplatform/identity/v1/search_pb.js";
import { SessionService } from "./aiplatform/identity/v1/sessions_pb.js";
import { SignInService } from "./aiplatform/identity/v1/sign_in_pb.js";
import { WorkspaceService, AssetService } from "./aiplatform/identity/v1/workspaces_pb.js";
import { ArtifactReferenceService } from "./aiplatform/training/v1/artifact_references_pb.js";
import { CheckpointService } from "./aiplatform/training/v1/checkpoints_pb.js";
import { ControlCommandService } from "./aiplatform/training/v1/control_commands_pb.js";
import { JobService } from "./aiplatform/training/v1/jobs_pb.js";
import { RunLineageService } from "./aiplatform/training/v1/lineage_pb.js";
import { LiveMetricsService } from "./aiplatform/training/v1/live_metrics_pb.js";
import { LogLineService } from "./aiplatform/training/v1/log_lines_pb.js";
import { MediaService } from "./aiplatform/training/v1/media_pb.js";
import { MlflowService } from "./aiplatform/training/v1/mlflow_pb.js";
import { TrainingQuotaService } from "./aiplatform/training/v1/quotas_pb.js";
import { RunComparisonService } from "./aiplatform/training/v1/run_comparisons_pb.js";
import { RunMetricsService } from "./aiplatform/training/v1/run_metrics_pb.js";
import { RunService } from "./aiplatform/training/v1/runs_pb.js";
import { TrainingSearchService } from "./aiplatform/training/v1/search_pb.js";
import { SupervisionLeaseService } from "./aiplatform/training/v1/supervision_leases_pb.js";
import { TrainerService } from "./aiplatform/training/v1/trainers_pb.js";

/** Every service of the contract. */
export const services = [
  AutomationService,
  DataDictionaryService,
  DatasetMarkService,
  DatasetService,
  EmailDraftService,
  FeatureMemoryService,
  QuotaService,
  SearchService,
  DatasetEmbeddingService,
  DatasetLineageService,
  DatasetQueryService,
  DatasetReferenceService,
  DatasetVersionService,
  DataQuotaService,
  ArtifactService,
  DatasetArtifactService,
  DatasetPredictionService,
  DeploymentService,
  LineageService,
  ModelService,
  DeploymentsQuotaService,
  RunFileService,
  MlflowArtifactService,
  DeploymentsSearchService,
  StreamService,
  ApiKeyService,
  AuditService,
  CredentialService,
  DelegationService,
  ExternalOauthService,
  MemberService,
  NotebookSessionService,
  OrganisationService,
  IdentityQuotaService,
  RoleService,
  IdentitySearchService,
  SessionService,
  SignInService,
  WorkspaceService,
  AssetService,
  ArtifactReferenceService,
  CheckpointService,
  ControlCommandService,
  JobService,
  RunLineageService,
  LiveMetricsService,
  LogLineService,
  MediaService,
  MlflowService,
  TrainingQuotaService,
  RunComparisonService,
  RunMetricsService,
  RunService,
  TrainingSearchService,
  SupervisionLeaseService,
  TrainerService,
];
