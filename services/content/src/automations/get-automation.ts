import type { ContentDependencies } from "../dependencies.ts";
import { type Automation, AutomationNotFoundError } from "./automation.ts";

/** One automation. Throws AutomationNotFoundError. */
export async function getAutomation(
  { automations }: Pick<ContentDependencies, "automations">,
  organisationId: string,
  automationId: string,
): Promise<Automation> {
  const automation = await automations.find(organisationId, automationId);
  if (!automation) throw new AutomationNotFoundError(automationId);
  return automation;
}
