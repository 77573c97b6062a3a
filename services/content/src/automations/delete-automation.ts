import type { ContentDependencies } from "../dependencies.ts";
import { type Automation, AutomationNotFoundError } from "./automation.ts";
import { automationDeleted } from "./automation-events.ts";

type Dependencies = Pick<
  ContentDependencies,
  "automations" | "automationVersions" | "featureUsages" | "outbox" | "transaction" | "clock"
>;

/** Forgets an automation with its versions, and that it used features. Throws AutomationNotFoundError. */
export function deleteAutomation(
  { automations, automationVersions, featureUsages, outbox, transaction, clock }: Dependencies,
  organisationId: string,
  automationId: string,
): Promise<Automation> {
  return transaction(async (session) => {
    const automation = await automations.claim(organisationId, automationId, session);
    if (!automation) throw new AutomationNotFoundError(automationId);
    await automations.delete(organisationId, automationId, session);
    await automationVersions.delete(organisationId, automationId, session);
    await featureUsages.deleteOfAsset(organisationId, { assetType: "automation", assetId: automationId }, session);
    await outbox.stage(session, automationDeleted(automation, clock()));
    return automation;
  });
}
