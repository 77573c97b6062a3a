import { quotaErrors } from "@aiplatform/quotas";
import type { ErrorClass, ErrorEntry, ErrorTable } from "@aiplatform/service-host";
import { fieldViolations } from "@aiplatform/service-kit";
import { EntityTagMismatchError } from "@aiplatform/service-kit/entity-tag";
import { Code } from "@connectrpc/connect";
import { ApiKeyNotRotatableError } from "./api-keys/api-key.ts";
import { AssetLimitError, AssetOwnedError } from "./assets/asset.ts";
import { CredentialRefusedError } from "./credentials/credential-refused-error.ts";
import { IssuerUnavailableError } from "./credentials/issuer-keys.ts";
import { DelegatedCallerError, DelegationsOffError, DelegationTakenError } from "./delegations/delegation.ts";
import { LinkChangedError, SecretNameLinkedError } from "./external-links/external-link.ts";
import {
  CallerNotMemberError,
  IncompleteSubjectError,
  LastAdministratorError,
  MemberTakenError,
} from "./members/member.ts";
import { HubUnavailableError } from "./notebook-sessions/notebook-hub.ts";
import { ProviderTimeoutError, ProviderUnavailableError } from "./oauth-client/provider-errors.ts";
import {
  OrganisationSlugTakenError,
  OrganisationSuspendedError,
  SlugLikeIdError,
} from "./organisations/organisation.ts";
import { SlugNotConfirmedError } from "./organisations/organisation-deletion.ts";
import { OrganisationDeletedError, OrganisationNotSuspendedError } from "./organisations/organisation-state.ts";
import { GrantExceedsCallerError } from "./permissions/grant.ts";
import { RoleInUseError, RoleIsSystemError, RoleLimitError, RoleSlugTakenError } from "./roles/role.ts";
import { CredentialOpensNoSessionError, SessionsOffError, SignInCodesOffError } from "./sessions/session.ts";
import { ReturnPathError } from "./sign-in/return-path.ts";
import { WorkspaceLimitError } from "./workspaces/workspace.ts";
import { WorkspacesDisabledError } from "./workspaces/workspace-settings.ts";

/** What callers see of our failures. A class that is missing here becomes Internal, without its message. */
export const identityErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  ...quotaErrors,
  [
    CredentialRefusedError,
    {
      code: Code.Unauthenticated,
      reason: (error: Error) => (error instanceof CredentialRefusedError ? error.reason : "CREDENTIAL_UNKNOWN"),
    },
  ],
  [OrganisationSuspendedError, { code: Code.PermissionDenied, reason: "ORGANISATION_SUSPENDED" }],
  [IssuerUnavailableError, { code: Code.Unavailable, reason: "ISSUER_UNAVAILABLE" }],
  [
    GrantExceedsCallerError,
    {
      code: Code.PermissionDenied,
      reason: "PERMISSION_MISSING",
      metadata: (error: Error) => ({ permission: error instanceof GrantExceedsCallerError ? error.permission : "" }),
    },
  ],
  [IncompleteSubjectError, { code: Code.InvalidArgument, reason: "SUBJECT_INCOMPLETE", violations: fieldViolations }],
  [SlugLikeIdError, { code: Code.InvalidArgument, reason: "SLUG_LIKE_ID", violations: fieldViolations }],
  [SlugNotConfirmedError, { code: Code.InvalidArgument, reason: "SLUG_NOT_CONFIRMED", violations: fieldViolations }],
  [OrganisationNotSuspendedError, { code: Code.FailedPrecondition, reason: "ORGANISATION_NOT_SUSPENDED" }],
  [OrganisationDeletedError, { code: Code.FailedPrecondition, reason: "ORGANISATION_DELETED" }],
  [OrganisationSlugTakenError, { code: Code.AlreadyExists, reason: "SLUG_TAKEN" }],
  [RoleSlugTakenError, { code: Code.AlreadyExists, reason: "SLUG_TAKEN" }],
  [
    MemberTakenError,
    {
      code: Code.AlreadyExists,
      reason: "MEMBER_TAKEN",
      metadata: (error: Error) => ({ taken: error instanceof MemberTakenError ? error.taken : "" }),
    },
  ],
  [RoleIsSystemError, { code: Code.FailedPrecondition, reason: "ROLE_IS_SYSTEM" }],
  [EntityTagMismatchError, { code: Code.FailedPrecondition, reason: "ETAG_MISMATCH" }],
  [RoleInUseError, { code: Code.FailedPrecondition, reason: "ROLE_IN_USE" }],
  [RoleLimitError, { code: Code.FailedPrecondition, reason: "ROLE_LIMIT" }],
  [CallerNotMemberError, { code: Code.FailedPrecondition, reason: "CALLER_IS_NO_MEMBER" }],
  [LastAdministratorError, { code: Code.FailedPrecondition, reason: "LAST_ADMINISTRATOR" }],
  [
    ApiKeyNotRotatableError,
    {
      code: Code.FailedPrecondition,
      reason: (error: Error) => (error instanceof ApiKeyNotRotatableError ? error.reason : "API_KEY_NOT_ROTATABLE"),
    },
  ],
  [DelegationTakenError, { code: Code.AlreadyExists, reason: "DELEGATION_TAKEN" }],
  [DelegationsOffError, { code: Code.FailedPrecondition, reason: "DELEGATIONS_OFF" }],
  [DelegatedCallerError, { code: Code.FailedPrecondition, reason: "CALLER_IS_DELEGATED" }],
  [CredentialOpensNoSessionError, { code: Code.FailedPrecondition, reason: "CREDENTIAL_OPENS_NO_SESSION" }],
  [SessionsOffError, { code: Code.FailedPrecondition, reason: "SESSIONS_OFF" }],
  [SignInCodesOffError, { code: Code.FailedPrecondition, reason: "SIGN_IN_CODES_OFF" }],
  [ReturnPathError, { code: Code.InvalidArgument, reason: "RETURN_PATH_INVALID", violations: fieldViolations }],
  [AssetOwnedError, { code: Code.FailedPrecondition, reason: "ASSET_OWNED" }],
  [AssetLimitError, { code: Code.FailedPrecondition, reason: "ASSET_LIMIT" }],
  [WorkspaceLimitError, { code: Code.FailedPrecondition, reason: "WORKSPACE_LIMIT" }],
  [WorkspacesDisabledError, { code: Code.FailedPrecondition, reason: "WORKSPACES_DISABLED" }],
  [SecretNameLinkedError, { code: Code.AlreadyExists, reason: "SECRET_NAME_LINKED" }],
  [LinkChangedError, { code: Code.Aborted, reason: "LINK_CHANGED" }],
  [ProviderUnavailableError, { code: Code.Unavailable, reason: "PROVIDER_UNAVAILABLE" }],
  [ProviderTimeoutError, { code: Code.DeadlineExceeded, reason: "PROVIDER_TIMEOUT" }],
  [HubUnavailableError, { code: Code.Unavailable, reason: "NOTEBOOK_HUB_UNAVAILABLE" }],
]);
