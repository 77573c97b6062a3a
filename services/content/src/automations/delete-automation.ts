import type { Caller } from "@aiplatform/caller-identity";
import type { ContentDependencies } from "../dependencies.ts";
import { type Automation, AutomationNotFoundError } from "./automation.ts";
import { automationDeleted } from "./automation-events.ts";

type Dependencies = Pick<
  ContentDependencies,
  "automations" | "automationVersions" | "delegations" | "featureUsages" | "outbox" | "transaction" | "clock"
>;

/** Forgets an automation with its versions, what they were let do, and that it used features. Throws AutomationNotFoundError. */
export async function deleteAutomation(
  { automations, automationVersions, delegations, featureUsages, outbox, transaction, clock }: Dependencies,
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
    await featureUsages.deleteOfAsset(organisationId, { assetType: "automation", assetId: automationId }, session);
    await outbox.stage(session, automationDeleted(automation, clock()));
    return automation;
  });
  for (const { delegationId } of former) await delegations.end(caller, delegationId);
  await delegations.end(caller, deleted.currentVersion?.delegationId);
  return deleted;
}
