import type { ClientSession } from "@aiplatform/document-store";
import type { ContentDependencies } from "../dependencies.ts";
import { type Automation, AutomationLimitError, mostAutomations } from "./automation.ts";
import { automationCreated } from "./automation-events.ts";
import { initialSettings } from "./automation-settings.ts";

/** What is wanted. */
export interface NewAutomation extends Pick<Automation, "organisationId" | "name" | "description"> {
  /** Owns it until a caller sets another owner. Absent: it has no owner. */
  createdByMemberId?: string | undefined;
}

/**
 * Makes an automation without a version. Throws AutomationLimitError once there are as many as there may be: requests of the
 * same instant may each find room for theirs.
 */
export async function createAutomation(
  { automations, outbox, clock, newId }: Pick<ContentDependencies, "automations" | "outbox" | "clock" | "newId">,
  { createdByMemberId, ...wanted }: NewAutomation,
  session: ClientSession,
): Promise<Automation> {
  const { organisationId } = wanted;
  if ((await automations.count(organisationId, session)) >= mostAutomations) throw new AutomationLimitError();
  const time = clock();
  const settings = { ...initialSettings, ownerMemberId: createdByMemberId };
  const content = { ...wanted, currentVersion: undefined, settings };
  const automation = { id: newId(), ...content, createdAt: time, updatedAt: time };
  await automations.insert(organisationId, automation, session);
  await outbox.stage(session, automationCreated(automation, time));
  return automation;
}
