import {
  byCreation,
  type ClientSession,
  type Collection,
  createdAfter,
  type DocumentStore,
  type EventCause,
  type IndexPlan,
  type Page,
  placeOf,
  TenantCollection,
  type TenantDocument,
  translated,
} from "@aiplatform/document-store";
import { creationKey, readPage } from "../bounded-page.ts";
import { type DraftStatus, type EmailDraft, EmailDraftNotFoundError } from "./email-draft.ts";

/** Who sends a draft, and until when without a renewal. */
export interface Sending {
  sender: string;
  until: Date;
  beganAt: Date;
  /** Who asked for it; the event that ends the sending names them, whichever process ends it. */
  cause: EventCause | undefined;
}

/** A draft that is being sent. */
export interface SendingDraft extends EmailDraft {
  sending: Sending;
}

interface EmailDraftDocument extends TenantDocument {
  subject: string;
  text: string;
  html: string;
  recipient_member_ids: string[];
  status: DraftStatus;
  revision: number;
  created_by_member_id?: string;
  created_at: Date;
  updated_at: Date;
  sent_at?: Date;
  sending?: { sender: string; until: Date; began_at: Date; cause?: EventCause };
}

const collection = "email_drafts";

export class EmailDraftStore {
  static readonly indexes: IndexPlan = {
    collection,
    indexes: [
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "sending", key: { "sending.until": 1 }, partialFilterExpression: { status: "sending" } },
    ],
  };

  readonly #drafts: TenantCollection<EmailDraftDocument>;
  readonly #everywhere: Collection<EmailDraftDocument>;

  constructor(store: DocumentStore) {
    this.#drafts = new TenantCollection(store, collection);
    this.#everywhere = store.database.collection<EmailDraftDocument>(collection);
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<EmailDraft | undefined> {
    const document = await this.#drafts.findOne(organisationId, { _id: id }, { session });
    return document && toDraft(document);
  }

  /** @throws EmailDraftNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<EmailDraft> {
    const found = await this.find(organisationId, id, session);
    if (!found) throw new EmailDraftNotFoundError(id);
    return found;
  }

  /** By creation. @throws InvalidCursorError */
  async list(organisationId: string, { limit, cursor }: { limit: number; cursor: string }): Promise<Page<EmailDraft>> {
    const found = this.#drafts.each(organisationId, createdAfter(placeOf(cursor)), { sort: byCreation });
    return await readPage(found, { limit, sizeOf: sizeOfDraft, keyOf: creationKey, toItem: toDraft });
  }

  async insert(organisationId: string, draft: EmailDraft, session: ClientSession): Promise<void> {
    await this.#drafts.insert(organisationId, toDocument(draft), { session });
  }

  async insertAll(organisationId: string, drafts: readonly EmailDraft[], session: ClientSession): Promise<void> {
    await this.#drafts.insertMany(organisationId, drafts.map(toDocument), { session });
  }

  /** Compare-and-set on the revision of a draft that was not sent; answers whether it was so. */
  replace(organisationId: string, draft: EmailDraft, session: ClientSession): Promise<boolean> {
    const condition = { revision: draft.revision - 1, status: "draft" as const };
    return this.#drafts.replaceIf(organisationId, toDocument(draft), condition, { session });
  }

  /** Answers whether there was one that was not sent. */
  delete(organisationId: string, id: string, session: ClientSession): Promise<boolean> {
    return this.#drafts.deleteOne(organisationId, { _id: id, status: "draft" }, { session });
  }

  /** Compare-and-set on where the draft stands: it is being sent from now on. Answers whether it had an effect. */
  beginSending(organisationId: string, draft: EmailDraft, sending: Sending, session: ClientSession): Promise<boolean> {
    const { id, status, revision } = draft;
    const update = { $set: { status: "sending" as const, sending: toSending(sending) } };
    return this.#drafts.updateOne(organisationId, { _id: id, status, revision }, update, { session });
  }

  /** Answers without reading the draft. */
  async isBeingSent(organisationId: string, id: string): Promise<boolean> {
    return (await this.#drafts.count(organisationId, { _id: id, status: "sending" })) > 0;
  }

  /** Answers whether the sender is still believed to be the one. */
  renewSending(organisationId: string, id: string, { sender, until }: Pick<Sending, "sender" | "until">) {
    const update = { $set: { "sending.until": until } };
    return this.#drafts.updateOne(organisationId, { _id: id, "sending.sender": sender }, update);
  }

  /** Compare-and-set on the sender. Answers whether it had an effect. */
  endSending(
    organisationId: string,
    draft: Pick<EmailDraft, "id" | "status" | "sentAt">,
    sender: string,
    session: ClientSession,
  ): Promise<boolean> {
    const { id, status, sentAt } = draft;
    const update = { $set: { status, ...(sentAt ? { sent_at: sentAt } : {}) }, $unset: { sending: true as const } };
    return this.#drafts.updateOne(organisationId, { _id: id, "sending.sender": sender }, update, { session });
  }

  /** Drafts of every organisation whose senders let their lease expire. */
  async abandoned(now: Date, limit: number): Promise<SendingDraft[]> {
    const filter = { status: "sending" as const, "sending.until": { $lt: now } };
    const documents = await translated(() => this.#everywhere.find(filter).limit(limit).toArray());
    return documents.flatMap((document) => {
      const draft = toDraft(document);
      return document.sending ? [{ ...draft, sending: fromSending(document.sending) }] : [];
    });
  }

  /** Compare-and-set on the sender that is gone. Answers whether it had an effect. */
  takeOver({ organisationId, id, sending }: SendingDraft, by: Pick<Sending, "sender" | "until">): Promise<boolean> {
    const gone = { _id: id, "sending.sender": sending.sender, "sending.until": sending.until };
    const update = { $set: { "sending.sender": by.sender, "sending.until": by.until } };
    return this.#drafts.updateOne(organisationId, gone, update);
  }
}

function sizeOfDraft({ subject, text, html, recipient_member_ids }: EmailDraftDocument): number {
  return subject.length + text.length + html.length + recipient_member_ids.length * 38;
}

function toSending({ sender, until, beganAt, cause }: Sending) {
  return { sender, until, began_at: beganAt, ...(cause ? { cause } : {}) };
}

function fromSending({ sender, until, began_at, cause }: NonNullable<EmailDraftDocument["sending"]>): Sending {
  return { sender, until, beganAt: began_at, cause };
}

function toDocument(draft: EmailDraft): EmailDraftDocument {
  return {
    _id: draft.id,
    organisation_id: draft.organisationId,
    subject: draft.subject,
    text: draft.text,
    html: draft.html,
    recipient_member_ids: draft.recipientMemberIds,
    status: draft.status,
    revision: draft.revision,
    ...(draft.createdByMemberId === undefined ? {} : { created_by_member_id: draft.createdByMemberId }),
    created_at: draft.createdAt,
    updated_at: draft.updatedAt,
    ...(draft.sentAt ? { sent_at: draft.sentAt } : {}),
  };
}

function toDraft(document: EmailDraftDocument): EmailDraft {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    subject: document.subject,
    text: document.text,
    html: document.html,
    recipientMemberIds: document.recipient_member_ids,
    status: document.status,
    revision: document.revision,
    createdByMemberId: document.created_by_member_id,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    sentAt: document.sent_at,
  };
}
