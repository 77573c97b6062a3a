import {
  type Automation as AutomationMessage,
  AutomationSchema,
  type AutomationSettings,
  AutomationSettingsSchema,
  type AutomationVersion,
  type AutomationVersionEntry,
  AutomationVersionEntrySchema,
  AutomationVersionSchema,
  AutomationVersionStatus,
  type PublishedAutomation,
  PublishedAutomationSchema,
} from "@aiplatform/contract/aiplatform/content/v1/automations";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Automation, Step, Version, VersionStatus } from "./automation.ts";
import { permissionsNeeded } from "./permissions-needed.ts";
import { stepTemplateMessage } from "./step-template.ts";
import { triggerMessage } from "./trigger-message.ts";

/** How steps are answered. */
interface StepOptions {
  /** With their typed form besides the JSON. Default false. */
  typedSteps?: boolean;
}

const statuses: Readonly<Record<VersionStatus, AutomationVersionStatus>> = {
  draft: AutomationVersionStatus.DRAFT,
  published: AutomationVersionStatus.PUBLISHED,
  superseded: AutomationVersionStatus.SUPERSEDED,
};

export function automationMessage(
  { id, name, description, organisationId, currentVersion, createdAt, updatedAt }: Automation,
  options: StepOptions = {},
): AutomationMessage {
  return create(AutomationSchema, {
    ...{ id, name, description, organisationId },
    ...(currentVersion ? { currentVersion: versionMessage(currentVersion, options) } : {}),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  });
}

/** An automation as its publisher sees it. */
export function publishedMessage(automation: Automation): PublishedAutomation {
  const { $typeName, ...fields } = automationMessage(automation);
  const { currentVersion: version } = automation;
  const delegatedPermissionIds = version ? permissionsNeeded(version) : [];
  return create(PublishedAutomationSchema, { ...fields, delegatedPermissionIds });
}

/** A version as callers see it, with where it stands. */
export function versionEntryMessage(version: Version, options: StepOptions = {}): AutomationVersionEntry {
  const { status, featureKeys, variables, publishedAt, trigger, revision, steps } = version;
  return create(AutomationVersionEntrySchema, {
    version: versionMessage(version, options),
    status: statuses[status],
    featureKeys,
    variables,
    revision,
    permissionIds: permissionsNeeded(version),
    stepKeys: steps.map(({ id: stepId, key, featureKeys: used }) => ({ stepId, key, featureKeys: used })),
    ...(publishedAt ? { publishedAt: timestampFromDate(publishedAt) } : {}),
    ...(trigger ? { trigger: triggerMessage(trigger) } : {}),
  });
}

/** How an automation is run, as callers see it. `nextRunAt`: undefined where nothing is to start it by itself at some time. */
export function settingsMessage(
  { id, settings }: Pick<Automation, "id" | "settings">,
  nextRunAt: Date | undefined,
): AutomationSettings {
  const { disabledReason, ownerMemberId, ...others } = settings;
  return create(AutomationSettingsSchema, {
    automationId: id,
    ...others,
    ...(disabledReason === undefined ? {} : { disabledReason }),
    ...(ownerMemberId === undefined ? {} : { ownerMemberId }),
    ...(nextRunAt ? { nextRunAt: timestampFromDate(nextRunAt) } : {}),
  });
}

function versionMessage(
  { id, automationId, steps, transitions, createdAt, updatedAt }: Version,
  options: StepOptions,
): AutomationVersion {
  return create(AutomationVersionSchema, {
    ...{ id, automationId },
    steps: steps.map((step) => stepMessage(step, options)),
    stepTransitions: transitions,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  });
}

function stepMessage({ id, name, promptTemplate, createdAt, updatedAt }: Step, { typedSteps = false }: StepOptions) {
  const times = { createdAt: timestampFromDate(createdAt), updatedAt: timestampFromDate(updatedAt) };
  const template = typedSteps ? stepTemplateMessage(promptTemplate) : undefined;
  return { id, name, promptTemplate: { text: promptTemplate }, ...(template ? { template } : {}), ...times };
}
