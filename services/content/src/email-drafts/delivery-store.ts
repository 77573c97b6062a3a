import { ListEmailDeliveriesRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import {
  type Delivery,
  type DeliveryCounts,
  type DeliveryEvent,
  type DeliveryState,
  ended,
  failureText,
  moved,
  underWay,
} from "./delivery.ts";

interface DeliveryDocument extends TenantDocument {
  draft_id: string;
  position: number;
  member_id: string;
  name: string;
  email: string;
  state: DeliveryState;
  attempts: number;
  due_at: Date;
  /** The sender that asks the server; absent if none does. */
  sender?: string;
  message_id?: string;
  error?: string;
}

/** What a move says besides the state that it leads to. */
export interface MoveFacts {
  /** Absent: no sender asks the server now. */
  sender?: string;
  dueAt?: Date;
  messageId?: string;
  error?: string;
}

/** The deliveries of one draft. */
export interface OfDraft {
  organisationId: string;
  draftId: string;
}

const collection = "email_deliveries";
const always = new Date(0);

const deliveryList = new ListQuery(ListEmailDeliveriesRequestSchema, {
  bindings: {
    recipient_member_id: "member_id",
    recipient_email: "email",
    status: { path: "state", oneOf: (status) => (status === "pending" ? underWay : [status]) },
  },
  defaultSort: [["position", 1, "number"]],
});

export class DeliveryStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "position", key: { organisation_id: 1, draft_id: 1, position: 1 }, unique: true },
      { name: "state", key: { organisation_id: 1, draft_id: 1, state: 1, due_at: 1, position: 1 } },
    ],
  };

  readonly #deliveries: TenantCollection<DeliveryDocument>;

  constructor(store: DocumentStore) {
    this.#deliveries = new TenantCollection(store, collection);
  }

  async insertAll(organisationId: string, deliveries: readonly Delivery[], session: ClientSession): Promise<void> {
    await this.#deliveries.insertMany(organisationId, deliveries.map(toDocument), { session });
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list({ organisationId, draftId }: OfDraft, request: ListPageRequest): Promise<Page<Delivery>> {
    const source = { list: deliveryList, request, within: { draft_id: draftId } };
    const { items, nextCursor } = await findPage(this.#deliveries, organisationId, source);
    return { items: items.map(toDelivery), nextCursor };
  }

  async counts({ organisationId, draftId }: OfDraft, session?: ClientSession): Promise<DeliveryCounts> {
    const count = (state: DeliveryState) =>
      this.#deliveries.count(organisationId, { draft_id: draftId, state }, { session });
    // One after the other: a session takes one question at a time.
    return {
      sent: await count("sent"),
      failed: await count("failed"),
      skipped: await count("skipped"),
      unknown: await count("unknown"),
    };
  }

  /** Takes on those whose turn it is: they are attempted by the sender. */
  async take(
    { organisationId, draftId }: OfDraft,
    sender: string,
    o: { now: Date; limit: number },
  ): Promise<Delivery[]> {
    const due = { draft_id: draftId, state: "pending" as const, due_at: { $lte: o.now } };
    const sort = { due_at: 1, position: 1 } as const;
    const found = await this.#deliveries.find(organisationId, due, { sort, limit: o.limit });
    const state = moved("pending", "attempt");
    const update = { $set: { state, sender }, $inc: { attempts: 1 } };
    const filter = { _id: { $in: found.map(({ _id }) => _id) }, state: "pending" as const };
    if (found.length > 0) await this.#deliveries.updateEach(organisationId, [{ filter, update }]);
    return found.map((document) => ({ ...toDelivery(document), state, attempts: document.attempts + 1 }));
  }

  /** When the next of those that wait is due; undefined when none waits. */
  async nextDue({ organisationId, draftId }: OfDraft): Promise<Date | undefined> {
    const waiting = { draft_id: draftId, state: "pending" as const };
    return (await this.#deliveries.findOne(organisationId, waiting, { sort: { due_at: 1 } }))?.due_at;
  }

  /** Compare-and-set on the state, the sender and its attempt. Answers whether it had an effect. */
  move(delivery: Delivery, sender: string, event: DeliveryEvent, facts: MoveFacts = {}): Promise<boolean> {
    const { organisationId, state, attempts } = delivery;
    const update = updateOf(moved(state, event), facts);
    // A move that hung may arrive after the sender has begun again.
    return this.#deliveries.updateOne(organisationId, { _id: idOf(delivery), state, sender, attempts }, update);
  }

  /** Whether a move that the database did not answer was stored all the same. */
  async hasMoved(delivery: Delivery, event: DeliveryEvent, { sender }: MoveFacts = {}): Promise<boolean> {
    const { organisationId, state, attempts } = delivery;
    const found = await this.#deliveries.findOne(organisationId, { _id: idOf(delivery) });
    return found?.state === moved(state, event) && found.sender === sender && found.attempts === attempts;
  }

  /**
   * Nothing of it was sent, whether or not it was stored that it would be: it waits again. Answers whether it was the
   * sender's.
   */
  async keep(delivery: Delivery, sender: string): Promise<boolean> {
    const states = ["attempting", "handing_over"] as const;
    const filter = { _id: idOf(delivery), state: { $in: [...states] }, sender, attempts: delivery.attempts };
    return this.#deliveries.updateOne(delivery.organisationId, filter, updateOf(moved("handing_over", "keep"), {}));
  }

  /** The time of the sending has run out: what waits has failed. */
  async giveUp({ organisationId, draftId }: OfDraft): Promise<void> {
    const update = updateOf(moved("pending", "give_up"), { error: failureText("too_late") });
    await this.#deliveries.updateEach(organisationId, [{ filter: { draft_id: draftId, state: "pending" }, update }]);
  }

  /** Senders are gone but this one: what they had not handed over waits again, the rest is not known. */
  async abandonOthers({ organisationId, draftId }: OfDraft, sender: string): Promise<void> {
    const others = { draft_id: draftId, sender: { $ne: sender } };
    // In this order: who is not gone after all can hand nothing over in between.
    await this.#deliveries.updateEach(organisationId, [
      { filter: { ...others, state: "attempting" }, update: updateOf(moved("attempting", "abandon"), {}) },
      {
        filter: { ...others, state: "handing_over" },
        update: updateOf(moved("handing_over", "abandon"), { error: failureText("answer_lost") }),
      },
    ]);
  }

  async haveEnded({ organisationId, draftId }: OfDraft, session: ClientSession): Promise<boolean> {
    const open = { draft_id: draftId, state: { $nin: [...ended] } };
    return (await this.#deliveries.findOne(organisationId, open, { session })) === undefined;
  }

  /**
   * The draft is sent again: what failed waits again, as if never tried, but for those that are active no more and those that
   * want no e-mails by now.
   */
  async retry(
    { organisationId, draftId }: OfDraft,
    {
      activeMemberIds,
      optedOutMemberIds,
    }: { activeMemberIds: readonly string[]; optedOutMemberIds: readonly string[] },
    session: ClientSession,
  ): Promise<void> {
    const failed = { draft_id: draftId, state: "failed" as const };
    const inactive = { ...failed, member_id: { $nin: [...activeMemberIds] } };
    const optedOut = { ...failed, member_id: { $in: [...optedOutMemberIds] } };
    const skip = (kind: "not_active" | "opted_out") => updateOf(moved("failed", "skip"), { error: failureText(kind) });
    const update = {
      $set: { state: moved("failed", "retry"), due_at: always, attempts: 0 },
      $unset: { error: true as const, sender: true as const, message_id: true as const },
    };
    const updates = [
      { filter: inactive, update: skip("not_active") },
      { filter: optedOut, update: skip("opted_out") },
      { filter: failed, update },
    ];
    await this.#deliveries.updateEach(organisationId, updates, { session });
  }
}

function updateOf(state: DeliveryState, { sender, dueAt, messageId, error }: MoveFacts) {
  const set = {
    state,
    ...(sender === undefined ? {} : { sender }),
    ...(dueAt === undefined ? {} : { due_at: dueAt }),
    ...(messageId === undefined ? {} : { message_id: messageId }),
    ...(error === undefined ? {} : { error }),
  };
  return sender === undefined ? { $set: set, $unset: { sender: true as const } } : { $set: set };
}

function idOf({ draftId, position }: Pick<Delivery, "draftId" | "position">): string {
  return `${draftId}/${position}`;
}

function toDocument(delivery: Delivery): DeliveryDocument {
  return {
    _id: idOf(delivery),
    organisation_id: delivery.organisationId,
    draft_id: delivery.draftId,
    position: delivery.position,
    member_id: delivery.memberId,
    name: delivery.name,
    email: delivery.email,
    state: delivery.state,
    attempts: delivery.attempts,
    due_at: delivery.dueAt ?? always,
    ...(delivery.error === undefined ? {} : { error: delivery.error }),
  };
}

function toDelivery(document: DeliveryDocument): Delivery {
  return {
    organisationId: document.organisation_id,
    draftId: document.draft_id,
    position: document.position,
    memberId: document.member_id,
    name: document.name,
    email: document.email,
    state: document.state,
    attempts: document.attempts,
    dueAt: document.due_at,
    messageId: document.message_id,
    error: document.error,
  };
}
