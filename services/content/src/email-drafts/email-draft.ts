/** Where a draft stands. */
export type DraftStatus = "draft" | "sending" | "sent" | "partially_sent" | "failed";

/** What a draft says, and to whom. */
export interface DraftContent {
  /** Liquid templates; an empty `html` sends text only. */
  subject: string;
  text: string;
  html: string;
  recipientMemberIds: string[];
}

/** A draft. */
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

/** What may be asked of a draft. */
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

/** Whether the action may begin. */
export function answerTo(action: DraftAction, { status }: Pick<EmailDraft, "status">): Answer {
  return answers[status][action];
}

/** Throws EmailDraftSendingError and EmailDraftSentError. */
export function assertChangeable(draft: Pick<EmailDraft, "id" | "status">): void {
  const answer = answerTo("change", draft);
  if (answer === "sending") throw new EmailDraftSendingError(draft.id);
  if (answer === "sent") throw new EmailDraftSentError(draft.id);
}

/** There is no such draft in the organisation. */
export class EmailDraftNotFoundError extends Error {
  override name = "EmailDraftNotFoundError";
  readonly draftId: string;
  constructor(draftId: string) {
    super("there is no such e-mail draft");
    this.draftId = draftId;
  }
}

/** The draft is being sent; asking again once that has ended answers the result. */
export class EmailDraftSendingError extends Error {
  override name = "EmailDraftSendingError";
  readonly draftId: string;
  constructor(draftId: string) {
    super("The e-mail draft is being sent");
    this.draftId = draftId;
  }
}

/** What was sent stays as it was. */
export class EmailDraftSentError extends Error {
  override name = "EmailDraftSentError";
  readonly draftId: string;
  constructor(draftId: string) {
    super("The e-mail draft was sent");
    this.draftId = draftId;
  }
}

export class NoRecipientsError extends Error {
  override name = "NoRecipientsError";
  readonly draftId: string;
  constructor(draftId: string) {
    super("The e-mail draft has no recipients");
    this.draftId = draftId;
  }
}

/** A recipient is not a member of the organisation, or not a recipient of the draft. */
export class RecipientNotFoundError extends Error {
  override name = "RecipientNotFoundError";
  readonly memberId: string;
  constructor(memberId: string) {
    super("there is no such recipient");
    this.memberId = memberId;
  }
}
