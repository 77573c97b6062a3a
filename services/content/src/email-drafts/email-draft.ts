import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { EntityError } from "../entity-error.ts";
export type DraftStatus = "draft" | "sending" | "sent" | "partially_sent" | "failed";

/** What a draft says, and to whom. */
export interface DraftContent {
  /** Liquid templates; an empty `html` sends text only. */
  subject: string;
  text: string;
  html: string;
  recipientMemberIds: string[];
}

export interface EmailDraft extends DraftContent {
  id: string;
  organisationId: string;
  status: DraftStatus;
  /** Grows with every change. */
  revision: number;
  /** Absent: a program wrote it. */
  createdByMemberId?: string | undefined;
  createdAt: Date;
  updatedAt: Date;
  /** When sending last ended. */
  sentAt?: Date | undefined;
}

/** What tells two states of a draft apart: its content by the revision, and how its sendings went. */
export function draftVersion({ revision, status, sentAt }: Pick<EmailDraft, "revision" | "status" | "sentAt">): string {
  return [revision, status, ...(sentAt ? [sentAt.getTime()] : [])].join("-");
}

export type DraftAction = "change" | "send";

type Answer = "allowed" | "sending" | "sent";

/** Whether an action may begin, by where the draft stands: `sent` has been done, `sending` is being done. */
const answers: Readonly<Record<DraftStatus, Readonly<Record<DraftAction, Answer>>>> = {
  draft: { change: "allowed", send: "allowed" },
  sending: { change: "sending", send: "sending" },
  sent: { change: "sent", send: "sent" },
  partially_sent: { change: "sent", send: "allowed" },
  failed: { change: "sent", send: "allowed" },
};

export function answerTo(action: DraftAction, { status }: Pick<EmailDraft, "status">): Answer {
  return answers[status][action];
}

/** @throws EmailDraftSendingError and EmailDraftSentError */
export function assertChangeable(draft: Pick<EmailDraft, "id" | "status">): void {
  const answer = answerTo("change", draft);
  if (answer === "sending") throw new EmailDraftSendingError(draft.id);
  if (answer === "sent") throw new EmailDraftSentError(draft.id);
}

export class EmailDraftNotFoundError extends NotFoundError {
  override name = "EmailDraftNotFoundError";
  constructor(draftId: string) {
    super(draftId, "there is no such e-mail draft");
  }
}

/** The draft is being sent; asking again once that has ended answers the result. */
export class EmailDraftSendingError extends EntityError {
  override name = "EmailDraftSendingError";
  constructor(draftId: string) {
    super(draftId, "The e-mail draft is being sent");
  }
}

export class EmailDraftSentError extends EntityError {
  override name = "EmailDraftSentError";
  constructor(draftId: string) {
    super(draftId, "The e-mail draft was sent");
  }
}

export class NoRecipientsError extends EntityError {
  override name = "NoRecipientsError";
  constructor(draftId: string) {
    super(draftId, "The e-mail draft has no recipients");
  }
}

/** A recipient is not a member of the organisation, or not a recipient of the draft. */
export class RecipientNotFoundError extends NotFoundError {
  override name = "RecipientNotFoundError";
  constructor(memberId: string) {
    super(memberId, "there is no such recipient");
  }
}
