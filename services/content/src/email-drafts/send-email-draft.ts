import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "@aiplatform/caller-identity";
import { currentCause } from "@aiplatform/service-host";
import type { OperationContext } from "../operation-context.ts";
import type { Delivery, DeliveryCounts } from "./delivery.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import type { EmailDeliveryWorker } from "./email-delivery-worker.ts";
import { answerTo, type EmailDraft, EmailDraftSendingError, NoRecipientsError } from "./email-draft.ts";
import type { EmailDraftStore, SendingDraft } from "./email-draft-store.ts";
import type { MailServer } from "./mail-server.ts";
import { planDeliveries, type Recipient } from "./plan-deliveries.ts";
import type { Recipients } from "./recipients.ts";

export interface SendEmailDraftDependencies extends Pick<OperationContext, "transaction" | "clock"> {
  emailDrafts: EmailDraftStore;
  deliveries: DeliveryStore;
  recipients: Recipients;
  mailServer: MailServer;
  deliveryWorker: EmailDeliveryWorker;
  answerWithinMs: number;
}

export interface SendResult {
  draftId: string;
  counts: DeliveryCounts;
  /** In the order of the recipients. */
  deliveries: Delivery[];
}

/** Recipients at most: all of them are in one answer. */
const maxRecipients = 10_000;

/**
 * Sends a draft to those it was not sent to before, and waits for the end.
 * @throws EmailDraftNotFoundError, NoRecipientsError, MailServerUnavailableError (nothing was sent), and
 * EmailDraftSendingError if another call is sending it or time runs out before the end; the sending then goes on
 */
export async function sendEmailDraft(
  dependencies: SendEmailDraftDependencies,
  caller: Caller,
  draftId: string,
): Promise<SendResult> {
  const { deliveryWorker, answerWithinMs } = dependencies;
  const timeIsUp = delay(answerWithinMs, "late" as const, { ref: false });
  const draft = await dependencies.emailDrafts.get(caller.organisationId, draftId);
  if (draft.recipientMemberIds.length === 0) throw new NoRecipientsError(draftId);
  const running = await deliveryWorker.begin(draftId, () => begin(dependencies, caller, draft));
  if ((await Promise.race([running?.over, timeIsUp])) === "late") throw new EmailDraftSendingError(draftId);
  return await resultOf(dependencies, draft);
}

/** The sending that was begun; undefined if nothing is left to send. The object keeps `await` from awaiting its end. */
async function begin(
  dependencies: SendEmailDraftDependencies,
  caller: Caller,
  found: EmailDraft,
): Promise<{ over: Promise<void> } | undefined> {
  const { deliveries, recipients, mailServer, deliveryWorker } = dependencies;
  const { organisationId, id } = found;
  // Read again: an earlier call may have gone on meanwhile.
  const draft = await dependencies.emailDrafts.get(organisationId, id);
  const answer = answerTo("send", draft);
  if (answer === "sending") throw new EmailDraftSendingError(id);
  if (answer === "sent") return undefined;
  const isFirst = draft.status === "draft";
  if (!isFirst && (await deliveries.counts({ organisationId, draftId: id })).failed === 0) return undefined;
  const known = await recipients.resolve(caller, draft.recipientMemberIds);
  const connection = await mailServer.open();
  try {
    const first = isFirst ? planDeliveries(draft, known) : undefined;
    const claimed = await claim(dependencies, draft, { first, known: [...known.values()] });
    return { over: deliveryWorker.send(claimed, connection) };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** From here on the draft is sent, in this process or another. @throws EmailDraftSendingError */
async function claim(
  { emailDrafts, deliveries, deliveryWorker, transaction, clock }: SendEmailDraftDependencies,
  draft: EmailDraft,
  { first, known }: { first: Delivery[] | undefined; known: readonly Recipient[] },
): Promise<SendingDraft> {
  const { organisationId, id } = draft;
  const activeMemberIds = known.filter(({ isActive }) => isActive).map((each) => each.id);
  const optedOutMemberIds = known.filter(({ emailOptedOut }) => emailOptedOut).map((each) => each.id);
  const term = deliveryWorker.newTerm();
  const begun = { beganAt: clock(), cause: currentCause() };
  await transaction(async (session) => {
    if (!(await emailDrafts.beginSending(organisationId, draft, { ...begun, term }, session)))
      throw new EmailDraftSendingError(id);
    if (first) await deliveries.insertAll(organisationId, first, session);
    else await deliveries.retry({ organisationId, draftId: id }, { activeMemberIds, optedOutMemberIds }, session);
  });
  return { ...draft, status: "sending", sending: { ...begun, holder: term.holder } };
}

async function resultOf(
  { emailDrafts, deliveries }: SendEmailDraftDependencies,
  { organisationId, id }: EmailDraft,
): Promise<SendResult> {
  const draft = await emailDrafts.get(organisationId, id);
  // Interrupted: the process that takes the draft over goes on.
  if (draft.status === "sending") throw new EmailDraftSendingError(id);
  const ofDraft = { organisationId, draftId: id };
  const { items } = await deliveries.list(ofDraft, { limit: maxRecipients, cursor: "" });
  return { draftId: id, counts: await deliveries.counts(ofDraft), deliveries: items };
}
