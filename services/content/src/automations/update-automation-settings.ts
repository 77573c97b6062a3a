import { automationSettingsUpdated } from "../automation-runs/automation-run-events.ts";
import type { ContentDependencies } from "../dependencies.ts";
import { type Automation, AutomationNotFoundError } from "./automation.ts";
import { changedSettings, isSameSettings, type SettingsChange } from "./automation-settings.ts";

/** Changes how an automation is run; nothing is announced where nothing changes. Throws AutomationNotFoundError. */
export function updateAutomationSettings(
  {
    automations,
    outbox,
    transaction,
    clock,
  }: Pick<ContentDependencies, "automations" | "outbox" | "transaction" | "clock">,
  { organisationId, automationId }: { organisationId: string; automationId: string },
  change: SettingsChange,
): Promise<Automation> {
  return transaction(async (session) => {
    const automation = await automations.claim(organisationId, automationId, session);
    if (!automation) throw new AutomationNotFoundError(automationId);
    const settings = changedSettings(automation.settings, change);
    if (isSameSettings(settings, automation.settings)) return automation;
    const changed = { ...automation, settings };
    await automations.setSettings(organisationId, changed, session);
    await outbox.stage(session, automationSettingsUpdated(changed, clock()));
    return changed;
  });
}
