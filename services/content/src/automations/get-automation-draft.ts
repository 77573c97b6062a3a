import { AutomationNotFoundError, type Version } from "./automation.ts";
import type { AutomationVersionStore } from "./automation-version-store.ts";

/** @throws AutomationNotFoundError, also for an automation without a draft */
export async function getAutomationDraft(
  { automationVersions }: { automationVersions: Pick<AutomationVersionStore, "findDraft"> },
  organisationId: string,
  automationId: string,
): Promise<Version> {
  const draft = await automationVersions.findDraft(organisationId, automationId);
  if (!draft) throw new AutomationNotFoundError(automationId);
  return draft;
}
