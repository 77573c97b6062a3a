// @generated from the events of proto/aiplatform; never edited.

import { CredentialChangedSchema, OrganisationCreatedSchema, MemberDeactivatedSchema, RoleCreatedSchema, RoleUpdatedSchema, RoleDeletedSchema, MemberAddedSchema, MemberJoinedSchema, MemberRolesSetSchema, MemberReactivatedSchema, ApiKeyCreatedSchema, ApiKeyRotatedSchema, ApiKeyRevokedSchema, ExternalLinkStartedSchema, ExternalLinkCompletedSchema, ExternalLinkFailedSchema, ExternalLinkRevokedSchema, WorkspaceProposalAcceptedSchema, WorkspaceSettingsUpdatedSchema, WorkspaceGroupingRequestedSchema, WorkspaceGroupingFinishedSchema, WorkspaceDeletedSchema, AssetRegisteredSchema, AssetDeletedSchema } from "./aiplatform/events/v1/identity_pb.js";
import { CallRefusedSchema } from "./aiplatform/events/v1/mesh_pb.js";
import { ControlCommandCreatedSchema, ControlCommandResolvedSchema, JobStateChangedSchema, JobCompletedSchema, PipelineCreatedSchema, RunCreatedSchema, SupervisionLeaseChangedSchema } from "./aiplatform/events/v1/training_pb.js";

/** Every message that services announce. */
export const events = [
  CredentialChangedSchema,
  OrganisationCreatedSchema,
  MemberDeactivatedSchema,
  RoleCreatedSchema,
  RoleUpdatedSchema,
  RoleDeletedSchema,
  MemberAddedSchema,
  MemberJoinedSchema,
  MemberRolesSetSchema,
  MemberReactivatedSchema,
  ApiKeyCreatedSchema,
  ApiKeyRotatedSchema,
  ApiKeyRevokedSchema,
  ExternalLinkStartedSchema,
  ExternalLinkCompletedSchema,
  ExternalLinkFailedSchema,
  ExternalLinkRevokedSchema,
  WorkspaceProposalAcceptedSchema,
  WorkspaceSettingsUpdatedSchema,
  WorkspaceGroupingRequestedSchema,
  WorkspaceGroupingFinishedSchema,
  WorkspaceDeletedSchema,
  AssetRegisteredSchema,
  AssetDeletedSchema,
  CallRefusedSchema,
  ControlCommandCreatedSchema,
  ControlCommandResolvedSchema,
  JobStateChangedSchema,
  JobCompletedSchema,
  PipelineCreatedSchema,
  RunCreatedSchema,
  SupervisionLeaseChangedSchema,
];
