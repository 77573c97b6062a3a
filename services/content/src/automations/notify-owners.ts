import type { ClientSession } from "@aiplatform/document-store";
import type { EmailDraft } from "../email-drafts/email-draft.ts";
import { emailDraftCreated } from "../email-drafts/email-draft-events.ts";
import type { EmailDraftStore } from "../email-drafts/email-draft-store.ts";
import type { OperationContext } from "../operation-context.ts";
import { automationOwnerNotified } from "./automation-events.ts";
import type { AutomationStore } from "./automation-store.ts";
import { type Deprecation, type OwnedAutomation, ownerDraft } from "./owner-draft.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "clock" | "newId"> {
  automations: AutomationStore;
  emailDrafts: EmailDraftStore;
}

export interface DeprecationNotice extends Deprecation {
  organisationId: string;
  automationIds: readonly string[];
}

/**
 * Notifies the owner of each automation that still exists: by an event, and where an automation asks for that by a draft, one
 * to each owner for all of theirs.
 */
export async function notifyOwners(
  { automations, emailDrafts, outbox, clock, newId }: Dependencies,
  { organisationId, automationIds, ...deprecation }: DeprecationNotice,
  session: ClientSession,
): Promise<void> {
  const owned = await automations.owned(organisationId, automationIds, session);
  const time = clock();
  const drafts = new Map<string, EmailDraft>();
  for (const [ownerMemberId, theirs] of Map.groupBy(owned.filter(wantsDraft), (each) => each.ownerMemberId)) {
    const content = { ...ownerDraft(deprecation, theirs), recipientMemberIds: [ownerMemberId] };
    const made = {
      id: newId(),
      organisationId,
      status: "draft" as const,
      revision: 1,
      createdAt: time,
      updatedAt: time,
    };
    drafts.set(ownerMemberId, { ...made, ...content });
  }
  const notices = owned.map((automation) => {
    const draft = wantsDraft(automation) ? drafts.get(automation.ownerMemberId) : undefined;
    return automationOwnerNotified({ organisationId, automation, deprecation, draftId: draft?.id ?? "" }, time);
  });
  await emailDrafts.insertAll(organisationId, [...drafts.values()], session);
  await outbox.stage(session, ...[...drafts.values()].map((draft) => emailDraftCreated(draft, time)), ...notices);
}

function wantsDraft({ draftsForOwner }: OwnedAutomation): boolean {
  return draftsForOwner;
}
