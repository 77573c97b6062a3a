import type { Caller } from "@aiplatform/caller-identity";
import type { ScheduleStore } from "../automation-schedules/schedule-store.ts";
import type { Delegations } from "../automation-steps/delegations.ts";
import type { FeatureUsageStore } from "../feature-memory/feature-usage-store.ts";
import type { OperationContext } from "../operation-context.ts";
import { type Automation, AutomationNotFoundError } from "./automation.ts";
import { automationDeleted } from "./automation-events.ts";
import type { AutomationStore } from "./automation-store.ts";
import type { AutomationVersionStore } from "./automation-version-store.ts";

export interface DeleteAutomationDependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock"> {
  automations: AutomationStore;
  automationVersions: AutomationVersionStore;
  delegations: Delegations;
  featureUsages: FeatureUsageStore;
  schedules: ScheduleStore;
}

/**
 * Forgets an automation with its versions, what they were let do, and that it used features.
 * @throws AutomationNotFoundError
 */
export async function deleteAutomation(
  {
    automations,
    automationVersions,
    delegations,
    featureUsages,
    schedules,
    outbox,
    transaction,
    clock,
  }: DeleteAutomationDependencies,
  caller: Pick<Caller, "organisationId" | "signedContext">,
  automationId: string,
): Promise<Automation> {
  const { organisationId } = caller;
  const former = await automationVersions.formerWithDelegation(organisationId, automationId);
  const deleted = await transaction(async (session) => {
    const automation = await automations.claim(organisationId, automationId, session);
    if (!automation) throw new AutomationNotFoundError(automationId);
    await automations.delete(organisationId, automationId, session);
    await automationVersions.delete(organisationId, automationId, session);
    await schedules.delete(organisationId, automationId, session);
    await featureUsages.deleteOfAsset(organisationId, { assetType: "automation", assetId: automationId }, session);
    await outbox.stage(session, automationDeleted(automation, clock()));
    return automation;
  });
  for (const { delegationId } of former) await delegations.end(caller, delegationId);
  await delegations.end(caller, deleted.currentVersion?.delegationId);
  return deleted;
}
