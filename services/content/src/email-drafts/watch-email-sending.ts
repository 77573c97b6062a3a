import { setTimeout as delay } from "node:timers/promises";
import type { DeliveryCounts } from "./delivery.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import type { DraftStatus, EmailDraft } from "./email-draft.ts";
import type { EmailDraftStore } from "./email-draft-store.ts";
import type { SharedReads } from "./shared-reads.ts";

export type WatchEmailSendingDependencies = {
  emailDrafts: EmailDraftStore;
  deliveries: DeliveryStore;
  progressReads: SharedReads<SendingProgress>;
};

export interface SendingProgress extends DeliveryCounts {
  draftId: string;
  status: DraftStatus;
  /** Recipients in all; 0 before the first sending. */
  recipients: number;
  /** Those whose turn has not come. */
  pending: number;
}

/** Between two reads of a draft, ms: three or four a second, however many watch it here. */
export const pollMs = 300;

/**
 * The counts as they are, and again as they change, until the draft is not being sent or the signal aborts. A watcher
 * of a draft that is not being sent gets the counts once.
 * @throws EmailDraftNotFoundError
 */
export async function* watchEmailSending(
  dependencies: WatchEmailSendingDependencies,
  { organisationId, draftId }: { organisationId: string; draftId: string },
  signal: AbortSignal,
): AsyncGenerator<SendingProgress> {
  const { progressReads } = dependencies;
  const draft = await dependencies.emailDrafts.get(organisationId, draftId);
  let sent = "";
  for (let status = draft.status; !signal.aborted; ) {
    const progress =
      status === "sending"
        ? await progressReads.read(draft.id, () => readProgress(dependencies, draft))
        : await progressOf(dependencies, draft, status);
    status = progress.status;
    const facts = JSON.stringify(progress);
    if (facts !== sent) yield progress;
    sent = facts;
    if (status !== "sending") return;
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** A draft to ten thousand is half a megabyte: it is read whole only at the end. */
async function readProgress(dependencies: WatchEmailSendingDependencies, draft: EmailDraft): Promise<SendingProgress> {
  const { organisationId, id } = draft;
  const isSending = await dependencies.emailDrafts.isBeingSent(organisationId, id);
  const { status } = isSending
    ? { status: "sending" as const }
    : await dependencies.emailDrafts.get(organisationId, id);
  return await progressOf(dependencies, draft, status);
}

async function progressOf(
  { deliveries }: WatchEmailSendingDependencies,
  { organisationId, id, recipientMemberIds }: EmailDraft,
  status: DraftStatus,
): Promise<SendingProgress> {
  const counts = await deliveries.counts({ organisationId, draftId: id });
  const recipients = status === "draft" ? 0 : recipientMemberIds.length;
  const ended = counts.sent + counts.failed + counts.skipped + counts.unknown;
  return { draftId: id, status, recipients, ...counts, pending: Math.max(recipients - ended, 0) };
}
