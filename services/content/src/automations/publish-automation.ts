import type { Caller } from "@aiplatform/caller-identity";
import { assertMatch, EntityTagMismatchError, entityTag } from "@aiplatform/service-kit/entity-tag";
import type { Delegations } from "../automation-steps/delegations.ts";
import { FeaturesUnavailableError } from "../feature-memory/feature.ts";
import type { FeatureStore } from "../feature-memory/feature-store.ts";
import type { FeatureUsageStore } from "../feature-memory/feature-usage-store.ts";
import { useFeatures } from "../feature-memory/use-features.ts";
import type { OperationContext } from "../operation-context.ts";
import {
  type Automation,
  AutomationNotFoundError,
  DraftMissingError,
  ReviewMissingError,
  type Version,
} from "./automation.ts";
import { automationPublished } from "./automation-events.ts";
import type { AutomationStore } from "./automation-store.ts";
import type { AutomationVersionStore } from "./automation-version-store.ts";
import { endFormerDelegations, type OpenRuns } from "./end-former-delegations.ts";
import { type KeepScheduleDependencies, keepSchedule } from "./keep-schedule.ts";
import { permissionsNeeded } from "./permissions-needed.ts";
import { stepsDigest } from "./steps-digest.ts";
import { assertMayRead } from "./trigger.ts";

export interface PublishAutomationDependencies
  extends Pick<OperationContext, "outbox" | "transaction" | "clock" | "newId">,
    KeepScheduleDependencies {
  automations: AutomationStore;
  automationVersions: AutomationVersionStore;
  automationRuns: OpenRuns;
  delegations: Delegations;
  features: FeatureStore;
  featureUsages: FeatureUsageStore;
}

/** The draft that was looked at, and what the caller lets its steps do. */
interface Reviewed extends Pick<Version, "delegationId" | "delegatedDigest"> {
  organisationId: string;
  automationId: string;
  draft: Version | undefined;
}

/**
 * Makes the draft that has one of the entity tags `ifMatch` the published version, what it uses known to feature memory,
 * and lets its steps, and no others, act in the caller's name and read what triggers it.
 * @throws ReviewMissingError, EntityTagMismatchError, TriggerNotReadableError, AutomationNotFoundError, DraftMissingError,
 * FeaturesUnavailableError, DelegationsOffError, and what identity refuses
 */
export async function publishAutomation(
  dependencies: PublishAutomationDependencies,
  caller: Pick<Caller, "organisationId" | "permissions" | "signedContext">,
  { automationId, ifMatch }: { automationId: string; ifMatch: string },
): Promise<Automation> {
  const { automationVersions, delegations } = dependencies;
  const { organisationId } = caller;
  if (ifMatch === "") throw new ReviewMissingError();
  const draft = await automationVersions.findDraft(organisationId, automationId);
  if (draft) assertMatch(ifMatch, draft.revision, "draft");
  assertMayRead(caller.permissions, draft?.trigger);
  const { delegationId, digest: delegatedDigest } = await delegations.give(caller, {
    purpose: `automation ${automationId}`,
    permissionIds: draft ? permissionsNeeded(draft) : [],
    digest: draft ? stepsDigest(draft) : "",
  });
  try {
    const reviewed = { organisationId, automationId, draft, delegationId, delegatedDigest };
    const published = await publishDraft(dependencies, reviewed);
    await endFormerDelegations(dependencies, caller, automationId);
    return published;
  } catch (error) {
    if (isRefusal(error)) await delegations.end(caller, delegationId);
    throw error;
  }
}

/** Whether nothing was published for sure: after any other failure what was let may be needed. */
function isRefusal(error: unknown): boolean {
  const refusals = [AutomationNotFoundError, DraftMissingError, EntityTagMismatchError, FeaturesUnavailableError];
  return refusals.some((refusal) => error instanceof refusal);
}

function publishDraft(
  dependencies: PublishAutomationDependencies,
  { organisationId, automationId, draft: reviewed, delegationId, delegatedDigest }: Reviewed,
): Promise<Automation> {
  const { automations, automationVersions, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const automation = await automations.claim(organisationId, automationId, session);
    if (!automation) throw new AutomationNotFoundError(automationId);
    const draft = await automationVersions.findDraft(organisationId, automationId, session);
    if (!draft) throw new DraftMissingError(automationId);
    // Saved while the caller's permissions were asked for: it is not what was looked at.
    if (draft.revision !== reviewed?.revision) throw new EntityTagMismatchError(entityTag(draft.revision), "draft");
    const time = clock();
    await useFeatures(dependencies, { organisationId, asset: assetOf(automation), uses: usesOf(draft), time }, session);
    const { currentVersion: former } = automation;
    if (former) await automationVersions.update(organisationId, { ...former, status: "superseded" }, session);
    const version: Version = { ...draft, status: "published", delegationId, delegatedDigest, publishedAt: time };
    await automationVersions.update(organisationId, version, session);
    const published = { ...automation, currentVersion: version, updatedAt: time };
    await automations.setCurrentVersion(organisationId, published, session);
    await keepSchedule(dependencies, published, session);
    await outbox.stage(session, automationPublished(version, time));
    return published;
  });
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
