import type { ClientSession } from "@aiplatform/document-store";
import { automationOwnerTold } from "../automations/automation-events.ts";
import type { ContentDependencies } from "../dependencies.ts";
import type { EmailDraft } from "../email-drafts/email-draft.ts";
import { emailDraftCreated } from "../email-drafts/email-draft-events.ts";
import { type Deprecation, type OwnedAutomation, ownerDraft } from "./owner-draft.ts";

type Dependencies = Pick<ContentDependencies, "automations" | "emailDrafts" | "outbox" | "clock" | "newId">;

/** A feature that is deprecated, and automations that use it. */
export interface ToldDeprecation extends Deprecation {
  organisationId: string;
  automationIds: readonly string[];
}

/**
 * Tells the owner of each automation that is still there: by an event, and where an automation asks for that by a draft, one
 * to each owner for all of theirs.
 */
export async function tellOwners(
  { automations, emailDrafts, outbox, clock, newId }: Dependencies,
  { organisationId, automationIds, ...deprecation }: ToldDeprecation,
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
  const told = owned.map((automation) => {
    const draft = wantsDraft(automation) ? drafts.get(automation.ownerMemberId) : undefined;
    return automationOwnerTold({ organisationId, automation, deprecation, draftId: draft?.id ?? "" }, time);
  });
  await emailDrafts.insertAll(organisationId, [...drafts.values()], session);
  await outbox.stage(session, ...[...drafts.values()].map((draft) => emailDraftCreated(draft, time)), ...told);
}

function wantsDraft({ draftsForOwner }: OwnedAutomation): boolean {
  return draftsForOwner;
}
