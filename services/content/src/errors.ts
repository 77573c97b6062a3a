import { quotaErrors } from "@aiplatform/quotas";
import type { ErrorClass, ErrorEntry, ErrorTable } from "@aiplatform/service-host";
import { EntityTagMismatchError } from "@aiplatform/service-kit/entity-tag";
import { workerPoolErrors } from "@aiplatform/worker-pool";
import { Code } from "@connectrpc/connect";
import {
  AutomationDisabledError,
  AutomationRunLimitError,
  NothingPublishedError,
} from "./automation-engine/automation-run.ts";
import { DelegationMissingError, DelegationsOffError } from "./automation-steps/delegations.ts";
import { AutomationLimitError, DraftMissingError, ReviewMissingError } from "./automations/automation.ts";
import { TriggerNotReadableError } from "./automations/trigger.ts";
import { DictionaryLimitError, TextOfAPersonError } from "./data-dictionaries/data-dictionary.ts";
import { DatasetInUseError, DatasetLimitError } from "./datasets/dataset.ts";
import { DeploymentsUnavailableError } from "./datasets/deployments-using-dataset.ts";
import { EmailDraftSendingError, EmailDraftSentError, NoRecipientsError } from "./email-drafts/email-draft.ts";
import { MailServerUnavailableError } from "./email-drafts/mail-server-settings.ts";
import { TemplateError } from "./email-drafts/templates.ts";
import { FeatureDeprecatedError, FeatureLimitError, FeaturesUnavailableError } from "./feature-memory/feature.ts";
import { AssetsUnavailableError } from "./feature-memory/known-assets.ts";
import { QuotasUnavailableError } from "./quotas/quotas-elsewhere.ts";

/** What callers see of our failures. A class that is missing here becomes Internal, without its message. */
export const contentErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([
  ...workerPoolErrors,
  ...quotaErrors,
  [DatasetInUseError, { code: Code.FailedPrecondition, reason: "DATASET_IN_USE" }],
  [AssetsUnavailableError, { code: Code.Unavailable, reason: "ASSETS_UNAVAILABLE" }],
  [DeploymentsUnavailableError, { code: Code.Unavailable, reason: "DEPLOYMENTS_UNAVAILABLE" }],
  [QuotasUnavailableError, { code: Code.Unavailable, reason: "QUOTAS_UNAVAILABLE" }],
  [DatasetLimitError, { code: Code.FailedPrecondition, reason: "DATASET_LIMIT" }],
  [DictionaryLimitError, { code: Code.FailedPrecondition, reason: "DICTIONARY_LIMIT" }],
  [TextOfAPersonError, { code: Code.FailedPrecondition, reason: "TEXT_OF_A_PERSON" }],
  [EntityTagMismatchError, { code: Code.FailedPrecondition, reason: "ETAG_MISMATCH" }],
  [FeatureLimitError, { code: Code.FailedPrecondition, reason: "FEATURE_LIMIT" }],
  [FeatureDeprecatedError, { code: Code.FailedPrecondition, reason: "FEATURE_DEPRECATED" }],
  [FeaturesUnavailableError, { code: Code.FailedPrecondition, reason: "FEATURES_UNAVAILABLE" }],
  [AutomationLimitError, { code: Code.FailedPrecondition, reason: "AUTOMATION_LIMIT" }],
  [NothingPublishedError, { code: Code.FailedPrecondition, reason: "NOTHING_PUBLISHED" }],
  [AutomationDisabledError, { code: Code.FailedPrecondition, reason: "AUTOMATION_DISABLED" }],
  [AutomationRunLimitError, { code: Code.FailedPrecondition, reason: "AUTOMATION_RUN_LIMIT" }],
  [ReviewMissingError, { code: Code.FailedPrecondition, reason: "PRECONDITION_REQUIRED" }],
  [DraftMissingError, { code: Code.FailedPrecondition, reason: "DRAFT_MISSING" }],
  [
    TriggerNotReadableError,
    {
      code: Code.PermissionDenied,
      reason: "PERMISSION_MISSING",
      metadata: (error: Error) => ({ permission: error instanceof TriggerNotReadableError ? error.permission : "" }),
    },
  ],
  [DelegationsOffError, { code: Code.FailedPrecondition, reason: "DELEGATIONS_OFF" }],
  [DelegationMissingError, { code: Code.FailedPrecondition, reason: "DELEGATION_MISSING" }],
  [EmailDraftSendingError, { code: Code.FailedPrecondition, reason: "EMAIL_DRAFT_SENDING" }],
  [EmailDraftSentError, { code: Code.FailedPrecondition, reason: "EMAIL_DRAFT_SENT" }],
  [NoRecipientsError, { code: Code.FailedPrecondition, reason: "NO_RECIPIENTS" }],
  [TemplateError, { code: Code.FailedPrecondition, reason: "TEMPLATE_FAILED" }],
  [MailServerUnavailableError, { code: Code.Unavailable, reason: "MAIL_SERVER_UNAVAILABLE" }],
]);
