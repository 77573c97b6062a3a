import type { Caller } from "@aiplatform/caller-identity";
import type { Delegations } from "../automation-steps/delegations.ts";
import { isStepType, stepHandlers } from "../automation-steps/step-handlers/step-handlers.ts";
import { FeaturesUnavailableError } from "../feature-memory/feature.ts";
import type { FeatureStore } from "../feature-memory/feature-store.ts";
import type { FeatureUsageStore } from "../feature-memory/feature-usage-store.ts";
import { useFeatures } from "../feature-memory/use-features.ts";
import { parseJsonObject } from "../json-object.ts";
import type { OperationContext } from "../operation-context.ts";
import {
  type Automation,
  AutomationNotFoundError,
  DraftChangedError,
  DraftMissingError,
  type Step,
  type Version,
} from "./automation.ts";
import { automationPublished } from "./automation-events.ts";
import type { AutomationStore } from "./automation-store.ts";
import type { AutomationVersionStore } from "./automation-version-store.ts";
import { endFormerDelegations, type OpenRuns } from "./end-former-delegations.ts";

export interface PublishAutomationDependencies
  extends Pick<OperationContext, "outbox" | "transaction" | "clock" | "newId"> {
  automations: AutomationStore;
  automationVersions: AutomationVersionStore;
  automationRuns: OpenRuns;
  delegations: Delegations;
  features: FeatureStore;
  featureUsages: FeatureUsageStore;
}

/** What the caller lets the steps of a draft do. */
interface Grant {
  delegationId: string | undefined;
  permissionIds: readonly string[];
}

/**
 * Makes the draft the published version, what it uses known to feature memory, and lets its steps act in the caller's
 * name.
 * @throws AutomationNotFoundError, DraftMissingError, FeaturesUnavailableError, DelegationsOffError, DraftChangedError,
 * and what identity refuses
 */
export async function publishAutomation(
  dependencies: PublishAutomationDependencies,
  caller: Pick<Caller, "organisationId" | "signedContext">,
  automationId: string,
): Promise<Automation> {
  const { automationVersions, delegations } = dependencies;
  const { organisationId } = caller;
  const draft = await automationVersions.findDraft(organisationId, automationId);
  const permissionIds = permissionsNeeded(draft?.steps ?? []);
  const delegationId = await delegations.give(caller, { purpose: `automation ${automationId}`, permissionIds });
  try {
    const wanted = { organisationId, automationId };
    const published = await publishDraft(dependencies, wanted, { delegationId, permissionIds });
    await endFormerDelegations(dependencies, caller, automationId);
    return published;
  } catch (error) {
    if (isRefusal(error)) await delegations.end(caller, delegationId);
    throw error;
  }
}

/** Whether nothing was published for sure: after any other failure what was let may be needed. */
function isRefusal(error: unknown): boolean {
  const refusals = [AutomationNotFoundError, DraftMissingError, DraftChangedError, FeaturesUnavailableError];
  return refusals.some((refusal) => error instanceof refusal);
}

function publishDraft(
  dependencies: PublishAutomationDependencies,
  { organisationId, automationId }: { organisationId: string; automationId: string },
  { delegationId, permissionIds }: Grant,
): Promise<Automation> {
  const { automations, automationVersions, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const automation = await automations.claim(organisationId, automationId, session);
    if (!automation) throw new AutomationNotFoundError(automationId);
    const draft = await automationVersions.findDraft(organisationId, automationId, session);
    if (!draft) throw new DraftMissingError(automationId);
    const needed = permissionsNeeded(draft.steps);
    if (!needed.every((permission) => permissionIds.includes(permission))) throw new DraftChangedError();
    const time = clock();
    await useFeatures(dependencies, { organisationId, asset: assetOf(automation), uses: usesOf(draft), time }, session);
    const { currentVersion: former } = automation;
    if (former) await automationVersions.update(organisationId, { ...former, status: "superseded" }, session);
    const version: Version = { ...draft, status: "published", delegationId, publishedAt: time };
    await automationVersions.update(organisationId, version, session);
    const published = { ...automation, currentVersion: version, updatedAt: time };
    await automations.setCurrentVersion(organisationId, published, session);
    await outbox.stage(session, automationPublished(version, time));
    return published;
  });
}

/** Permissions that the steps need from their publisher; sorted, each once. */
function permissionsNeeded(steps: readonly Pick<Step, "promptTemplate">[]): string[] {
  const needed = steps.flatMap(({ promptTemplate }) => {
    const fields = parseJsonObject(promptTemplate) ?? {};
    return isStepType(fields["type"]) ? stepHandlers[fields["type"]].permissions(fields) : [];
  });
  return [...new Set(needed)].sort();
}

function assetOf({ id, name }: Automation) {
  return { assetType: "automation", assetId: id, assetName: name };
}

/** Each feature with the names of the steps that use it. */
function usesOf({ featureKeys, steps }: Version): Map<string, string> {
  const namesOf = (key: string) => steps.filter((step) => step.featureKeys.includes(key)).map(({ name }) => name);
  return new Map(featureKeys.map((key) => [key, shortened(`Steps: ${namesOf(key).join(", ")}`)]));
}

function shortened(text: string): string {
  const maxLength = 1_000;
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
