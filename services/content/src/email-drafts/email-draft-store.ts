import { ListEmailDraftsRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import {
  type ClientSession,
  type DocumentStore,
  type EventCause,
  type IndexPlan,
  Leases,
  type LeaseTerm,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "@aiplatform/search";
import { type DraftStatus, type EmailDraft, EmailDraftNotFoundError } from "./email-draft.ts";

/** A sending, and who has its lease. */
export interface Sending {
  holder: string;
  beganAt: Date;
  /** Who asked for it; the event that ends the sending names them, whichever process ends it. */
  cause: EventCause | undefined;
}

/** A draft that is being sent. */
export interface SendingDraft extends EmailDraft {
  sending: Sending;
}

interface EmailDraftDocument extends TenantDocument, Partial<SearchFields> {
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
  /** `sender` is the holder of its lease, `until` the end of that. */
  sending?: { sender: string | null; until: Date; failures?: number; began_at: Date; cause?: EventCause };
}

const collection = "email_drafts";

export const emailDraftSearch: SearchedCollection = {
  kind: SearchKind.EMAIL_DRAFT,
  collection,
  name: "subject",
  texts: ["text"],
  parameters: { draft_id: "_id" },
  orderIndex: "creation",
};

const draftList = new ListQuery(ListEmailDraftsRequestSchema, { defaultSort: oldestFirst });

export class EmailDraftStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "status", key: { organisation_id: 1, status: 1 } },
      searchIndex,
      {
        name: "claims",
        key: { organisation_id: 1, "sending.until": 1 },
        partialFilterExpression: { status: "sending" },
      },
    ],
  };

  /** Who sends which draft. */
  readonly leases: Leases<EmailDraftDocument, SendingDraft>;
  readonly #drafts: TenantCollection<EmailDraftDocument>;

  constructor(store: DocumentStore) {
    this.#drafts = new TenantCollection(store, collection);
    const fields = { holder: "sending.sender", expiresAt: "sending.until", failures: "sending.failures" };
    this.leases = new Leases(store, { collection, fields, wanted: { status: "sending" }, read: toSendingDraft });
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

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<EmailDraft>> {
    const source = { list: draftList, request, sizeOf: sizeOfDraft };
    const { items, nextCursor } = await findPage(this.#drafts, organisationId, source);
    return { items: items.map(toDraft), nextCursor };
  }

  countUnsent(organisationId: string, session?: ClientSession): Promise<number> {
    return this.#drafts.count(organisationId, { status: "draft" }, { session });
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
  beginSending(
    organisationId: string,
    { id, status, revision }: EmailDraft,
    { term, beganAt, cause }: Pick<Sending, "beganAt" | "cause"> & { term: LeaseTerm },
    session: ClientSession,
  ): Promise<boolean> {
    const sending = { "sending.began_at": beganAt, ...(cause ? { "sending.cause": cause } : {}) };
    const update = { $set: { status: "sending" as const, ...this.leases.taken(term), ...sending } };
    return this.#drafts.updateOne(organisationId, { _id: id, status, revision }, update, { session });
  }

  /** Answers without reading the draft. */
  async isBeingSent(organisationId: string, id: string): Promise<boolean> {
    return (await this.#drafts.count(organisationId, { _id: id, status: "sending" })) > 0;
  }

  /** Ends the sending under its lease. Answers whether the holder still had it. */
  endSending(
    organisationId: string,
    { id, status, sentAt }: Pick<EmailDraft, "id" | "status" | "sentAt">,
    holder: string,
    session: ClientSession,
  ): Promise<boolean> {
    const update = { $set: { status, ...(sentAt ? { sent_at: sentAt } : {}) }, $unset: { sending: true as const } };
    return this.#drafts.updateOne(organisationId, { _id: id, ...this.leases.fence(holder) }, update, { session });
  }
}

function sizeOfDraft({ subject, text, html, recipient_member_ids }: EmailDraftDocument): number {
  return subject.length + text.length + html.length + recipient_member_ids.length * 38;
}

function toSendingDraft(document: EmailDraftDocument): SendingDraft {
  const { sender, began_at: beganAt, cause } = document.sending ?? {};
  if (!sender || !beganAt) throw new Error("the draft is not being sent");
  return { ...toDraft(document), sending: { holder: sender, beganAt, cause } };
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
    ...searchFields(emailDraftSearch, draft),
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
