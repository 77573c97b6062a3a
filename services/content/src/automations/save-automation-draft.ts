import { assertMatch } from "@aiplatform/service-kit/entity-tag";
import type { TaskRunner } from "@aiplatform/worker-pool";
import type { OperationContext } from "../operation-context.ts";
import { AutomationNotFoundError, type Version } from "./automation.ts";
import { type AutomationDraft, contentOf, isSameContent, type readDraft } from "./automation-draft.ts";
import { automationDraftSaved } from "./automation-events.ts";
import type { AutomationStore } from "./automation-store.ts";
import type { AutomationVersionStore } from "./automation-version-store.ts";

export interface SaveAutomationDraftDependencies
  extends Pick<OperationContext, "outbox" | "transaction" | "clock" | "newId"> {
  automations: AutomationStore;
  automationVersions: AutomationVersionStore;
  tasks: TaskRunner<{ readDraft: typeof readDraft }>;
}

export interface WantedDraft extends AutomationDraft {
  organisationId: string;
  automationId: string;
  /** Entity tags, one of which the draft must have; "": any. */
  ifMatch: string;
}

/**
 * Makes this the automation's draft; what is published stays. A draft that is the same already changes and announces
 * nothing.
 * @throws InvalidFieldsError with the place of each mistake, AutomationNotFoundError, EntityTagMismatchError, QueueFullError
 */
export async function saveAutomationDraft(
  { automations, automationVersions, tasks, outbox, transaction, clock, newId }: SaveAutomationDraftDependencies,
  { organisationId, automationId, ifMatch, ...wanted }: WantedDraft,
): Promise<Version> {
  const draft = await tasks.run(organisationId, "readDraft", wanted);
  return transaction(async (session) => {
    const automation = await automations.claim(organisationId, automationId, session);
    if (!automation) throw new AutomationNotFoundError(automationId);
    const known = await automationVersions.findDraft(organisationId, automationId, session);
    assertMatch(ifMatch, known?.revision ?? 0, "draft");
    const earlier = [known, automation.currentVersion].filter((version) => version !== undefined);
    const time = clock();
    const content = contentOf(draft, earlier, { time, newId });
    if (known && isSameContent(known, content)) return known;
    const origin = known ?? { id: newId(), createdAt: time };
    const place = {
      organisationId,
      automationId,
      status: "draft",
      // The published version was the draft before: no two contents of an automation have one revision.
      revision: ((known ?? automation.currentVersion)?.revision ?? 0) + 1,
      publishedAt: undefined,
      delegationId: undefined,
      delegatedDigest: undefined,
    } as const;
    const version: Version = { ...origin, ...place, ...content, updatedAt: time };
    if (known) await automationVersions.update(organisationId, version, session);
    else await automationVersions.insert(organisationId, version, session);
    await outbox.stage(session, automationDraftSaved(version, time));
    return version;
  });
}
