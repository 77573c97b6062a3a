import type { ContentDependencies } from "../dependencies.ts";
import { AutomationNotFoundError, type Version } from "./automation.ts";
import { automationDraftSaved } from "./automation-events.ts";
import { contentOf, type Draft, isSameContent } from "./draft.ts";

type Dependencies = Pick<
  ContentDependencies,
  "automations" | "automationVersions" | "tasks" | "outbox" | "transaction" | "clock" | "newId"
>;

/** What the draft of which automation shall be. */
export interface WantedDraft extends Draft {
  organisationId: string;
  automationId: string;
}

/**
 * Makes this the automation's draft; what is published stays. A draft that is the same already changes and announces nothing.
 * Throws InvalidFieldsError with the place of each mistake, AutomationNotFoundError, QueueFullError.
 */
export async function saveAutomationDraft(
  { automations, automationVersions, tasks, outbox, transaction, clock, newId }: Dependencies,
  { organisationId, automationId, ...wanted }: WantedDraft,
): Promise<Version> {
  const draft = await tasks.run(organisationId, "readDraft", wanted);
  return transaction(async (session) => {
    const automation = await automations.claim(organisationId, automationId, session);
    if (!automation) throw new AutomationNotFoundError(automationId);
    const known = await automationVersions.findDraft(organisationId, automationId, session);
    const earlier = [known, automation.currentVersion].filter((version) => version !== undefined);
    const time = clock();
    const content = contentOf(draft, earlier, { time, newId });
    if (known && isSameContent(known, content)) return known;
    const origin = known ?? { id: newId(), createdAt: time };
    const place = {
      organisationId,
      automationId,
      status: "draft",
      publishedAt: undefined,
      delegationId: undefined,
    } as const;
    const version: Version = { ...origin, ...place, ...content, updatedAt: time };
    if (known) await automationVersions.update(organisationId, version, session);
    else await automationVersions.insert(organisationId, version, session);
    await outbox.stage(session, automationDraftSaved(version, time));
    return version;
  });
}
