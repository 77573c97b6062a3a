import type { ClientSession } from "@aiplatform/document-store";
import type { OperationContext } from "../operation-context.ts";
import { type Automation, AutomationLimitError, maxAutomations } from "./automation.ts";
import { automationCreated } from "./automation-events.ts";
import { initialSettings } from "./automation-settings.ts";
import type { AutomationStore } from "./automation-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "clock" | "newId"> {
  automations: AutomationStore;
}

export interface NewAutomation extends Pick<Automation, "organisationId" | "name" | "description"> {
  /** Owns it until a caller sets another owner. Absent: it has no owner. */
  createdByMemberId?: string | undefined;
}

/**
 * Makes an automation without a version.
 * @throws AutomationLimitError once there are as many as there may be: requests of the same instant may each find room
 * for theirs
 */
export async function createAutomation(
  { automations, outbox, clock, newId }: Dependencies,
  { createdByMemberId, ...wanted }: NewAutomation,
  session: ClientSession,
): Promise<Automation> {
  const { organisationId } = wanted;
  if ((await automations.count(organisationId, session)) >= maxAutomations) throw new AutomationLimitError();
  const time = clock();
  const settings = { ...initialSettings, ownerMemberId: createdByMemberId };
  const content = { ...wanted, currentVersion: undefined, settings };
  const automation = { id: newId(), ...content, createdAt: time, updatedAt: time };
  await automations.insert(organisationId, automation, session);
  await outbox.stage(session, automationCreated(automation, time));
  return automation;
}
