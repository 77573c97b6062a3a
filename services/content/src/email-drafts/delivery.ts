import type { DraftStatus } from "./email-draft.ts";

/**
 * What becomes of one recipient:
 * - `pending`: its turn has not come, or comes again at `dueAt`;
 * - `attempting`: the server is asked, and has nothing of the message yet;
 * - `handing_over`: the server is getting the message, and may have it whole;
 * - `sent`, `failed`, `skipped`, `unknown`: ended. `unknown` never moves again, since the server may have the message.
 */
export type DeliveryState = "pending" | "attempting" | "handing_over" | "sent" | "failed" | "skipped" | "unknown";

export type DeliveryEvent =
  /** A sender takes it on. */
  | "attempt"
  /** The server waits for the message: from here on it may have it. */
  | "hand_over"
  /** It was not stored that the server may have it, and so nothing of it was sent. */
  | "keep"
  /** The server has taken it. */
  | "accept"
  /** The server will not take it, or it cannot be written. */
  | "refuse"
  /** The server did not take it this time. */
  | "defer"
  /** The connection broke. */
  | "lose"
  /** Its sender is gone. */
  | "abandon"
  /** The time of the sending has run out. */
  | "give_up"
  /** The draft is sent again. */
  | "retry"
  /** The draft is sent again, but the recipient is no longer an active member, or no longer wants e-mails. */
  | "skip";

const moves: Readonly<Record<DeliveryState, Partial<Record<DeliveryEvent, DeliveryState>>>> = {
  pending: { attempt: "attempting", give_up: "failed" },
  attempting: {
    hand_over: "handing_over",
    keep: "pending",
    refuse: "failed",
    defer: "pending",
    lose: "pending",
    abandon: "pending",
  },
  handing_over: {
    keep: "pending",
    accept: "sent",
    refuse: "failed",
    defer: "pending",
    lose: "unknown",
    abandon: "unknown",
  },
  sent: {},
  failed: { retry: "pending", skip: "skipped" },
  skipped: {},
  unknown: {},
};

/** What cannot happen to a delivery as it stands. */
export class DeliveryMoveError extends Error {
  override name = "DeliveryMoveError";
  constructor(from: DeliveryState, event: DeliveryEvent) {
    super(`${event} cannot happen to a delivery that is ${from}`);
  }
}

/** Where a delivery stands after an event. @throws DeliveryMoveError */
export function moved(from: DeliveryState, event: DeliveryEvent): DeliveryState {
  const to = moves[from][event];
  if (!to) throw new DeliveryMoveError(from, event);
  return to;
}

/** States that a sending ends with. */
export const ended: readonly DeliveryState[] = ["sent", "failed", "skipped", "unknown"];

/** States of those whose turn has not come or has not ended: `pending` to callers. */
export const underWay: readonly DeliveryState[] = ["pending", "attempting", "handing_over"];

/** One recipient of a draft that is or was sent. */
export interface Delivery {
  organisationId: string;
  draftId: string;
  /** Place among the recipients, from 0. */
  position: number;
  memberId: string;
  /** Name for people, and address; empty where the member is not known. */
  name: string;
  email: string;
  state: DeliveryState;
  /** How often the server was asked in this sending. */
  attempts: number;
  /** When to ask again; absent: at once. */
  dueAt?: Date | undefined;
  /** Absent while nothing was handed over. */
  messageId?: string | undefined;
  /** Why it was not sent. */
  error?: string | undefined;
}

export type DeliveryCounts = Readonly<Record<"sent" | "failed" | "skipped" | "unknown", number>>;

/** Where a draft stands once its deliveries have ended. */
export function statusAfter({ sent, failed, unknown }: DeliveryCounts): DraftStatus {
  if (failed + unknown === 0) return "sent";
  return sent > 0 ? "partially_sent" : "failed";
}

/** Why a delivery did not succeed, for who sent the draft; never in the mail server's own words. */
export function failureText(kind: FailureKind, code?: number): string {
  return code === undefined ? failureTexts[kind] : `${failureTexts[kind]} (${code})`;
}

export type FailureKind =
  | "address_invalid"
  | "template_failed"
  | "refused"
  | "too_late"
  | "answer_lost"
  | "not_active"
  | "opted_out"
  | "address_repeated";

const failureTexts: Readonly<Record<FailureKind, string>> = {
  address_invalid: "address_invalid: the address cannot be written to",
  template_failed: "template_failed: the templates cannot be filled in for this recipient",
  refused: "refused: the mail server refuses the recipient or the message",
  too_late: "too_late: the mail server did not take the message in time",
  answer_lost: "answer_lost: the message was handed over, and the mail server's answer was lost",
  not_active: "not_active: not an active member",
  opted_out: "opted_out: the member wants no e-mails",
  address_repeated: "address_repeated: an earlier recipient has the same address",
};
