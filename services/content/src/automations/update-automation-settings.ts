import type { OperationContext } from "../operation-context.ts";
import { type Automation, AutomationNotFoundError } from "./automation.ts";
import { automationSettingsUpdated } from "./automation-events.ts";
import { changedSettings, isSameSettings, type SettingsChange } from "./automation-settings.ts";
import type { AutomationStore } from "./automation-store.ts";
import { type KeepScheduleDependencies, keepSchedule } from "./keep-schedule.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock">, KeepScheduleDependencies {
  automations: AutomationStore;
}

/** Changes how an automation is run; nothing is announced where nothing changes. @throws AutomationNotFoundError */
export function updateAutomationSettings(
  dependencies: Dependencies,
  { organisationId, automationId }: { organisationId: string; automationId: string },
  change: SettingsChange,
): Promise<Automation> {
  const { automations, outbox, transaction, clock } = dependencies;
  return transaction(async (session) => {
    const automation = await automations.claim(organisationId, automationId, session);
    if (!automation) throw new AutomationNotFoundError(automationId);
    const settings = changedSettings(automation.settings, change);
    if (isSameSettings(settings, automation.settings)) return automation;
    const changed = { ...automation, settings };
    await automations.setSettings(organisationId, changed, session);
    if (settings.enabled !== automation.settings.enabled) await keepSchedule(dependencies, changed, session);
    await outbox.stage(session, automationSettingsUpdated(changed, clock()));
    return changed;
  });
}
