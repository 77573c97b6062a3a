import {
  type ClientSession,
  type Collection,
  createdBefore,
  type DocumentStore,
  type IndexPlan,
  newestFirst,
  type Page,
  type PageRequest,
  pageOf,
  placeOf,
  TenantCollection,
  type TenantDocument,
  toRead,
  translated,
} from "@aiplatform/document-store";
import { type HolderRef, type StoredHolder, toHolder, toStoredHolder } from "../credentials/holder-ref.ts";
import { maxSessionsOfHolder, type Session, type SessionMethod } from "./session.ts";

interface SessionDocument extends TenantDocument, StoredHolder {
  /** Of the token. */
  hash: string;
  method: SessionMethod;
  user_agent: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

const collection = "sessions";

/** Which sessions a list shows. */
export interface SessionListRequest extends PageRequest {
  /** Absent: of all holders. */
  holder?: HolderRef | undefined;
  /** Those that were not used since are over. */
  usedSince: Date;
  now: Date;
}

/** Sessions that have not ended: one that is ended is deleted, and the audit log knows of it. */
export class SessionStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "hash", key: { hash: 1 }, unique: true },
      { name: "creation", key: { organisation_id: 1, created_at: -1, _id: -1 } },
      { name: "member", key: { organisation_id: 1, member_id: 1, created_at: -1, _id: -1 } },
      { name: "api_key", key: { organisation_id: 1, api_key_id: 1, created_at: -1, _id: -1 } },
      { name: "retention", key: { expires_at: 1 }, expireAfterSeconds: 0 },
    ],
  };

  readonly #sessions: TenantCollection<SessionDocument>;
  readonly #everywhere: Collection<SessionDocument>;

  constructor(store: DocumentStore) {
    this.#sessions = new TenantCollection(store, collection);
    this.#everywhere = store.database.collection<SessionDocument>(collection);
  }

  async insert(organisationId: string, session: Session, hash: string, transaction: ClientSession): Promise<void> {
    await this.#sessions.insert(organisationId, toDocument(session, hash), { session: transaction });
  }

  async find(organisationId: string, id: string, transaction?: ClientSession): Promise<Session | undefined> {
    const document = await this.#sessions.findOne(organisationId, { _id: id }, { session: transaction });
    return document && toSession(document);
  }

  /** In whichever organisation: the token is what names it. */
  async findByHash(hash: string): Promise<Session | undefined> {
    const document = await translated(() => this.#everywhere.findOne({ hash }));
    return document ? toSession(document) : undefined;
  }

  /** Newest first. @throws InvalidCursorError */
  async list(organisationId: string, request: SessionListRequest): Promise<Page<Session>> {
    const { holder, usedSince, now } = request;
    const filter = {
      ...(holder && toStoredHolder(holder)),
      ...createdBefore(placeOf(request.cursor)),
      expires_at: { $gt: now },
      last_used_at: { $gt: usedSince },
    };
    const options = { sort: newestFirst, limit: toRead(request) };
    const found = await this.#sessions.find(organisationId, filter, options);
    return pageOf(found.map(toSession), request);
  }

  /** Those beyond the newest that a holder may have, oldest last. */
  async findSurplus(organisationId: string, holder: HolderRef, transaction: ClientSession): Promise<Session[]> {
    const options = { sort: newestFirst, skip: maxSessionsOfHolder, session: transaction };
    const found = await this.#sessions.find(organisationId, toStoredHolder(holder), options);
    return found.map(toSession);
  }

  /** Never moves the time back, whichever replica comes last. */
  async setLastUsed(organisationId: string, id: string, at: Date): Promise<void> {
    await this.#sessions.updateOne(organisationId, { _id: id }, { $max: { last_used_at: at } });
  }

  /** Answers whether it was there. */
  delete(organisationId: string, id: string, transaction: ClientSession): Promise<boolean> {
    return this.#sessions.deleteOne(organisationId, { _id: id }, { session: transaction });
  }

  async deleteOfHolder(organisationId: string, holder: HolderRef, transaction: ClientSession): Promise<void> {
    await this.#sessions.deleteMany(organisationId, toStoredHolder(holder), { session: transaction });
  }
}

function toDocument(session: Session, hash: string): SessionDocument {
  const { id, organisationId, holder, method, userAgent, createdAt, lastUsedAt, expiresAt } = session;
  return {
    _id: id,
    organisation_id: organisationId,
    hash,
    ...toStoredHolder(holder),
    method,
    user_agent: userAgent,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    expires_at: expiresAt,
  };
}

function toSession(document: SessionDocument): Session {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    holder: toHolder(document),
    method: document.method,
    userAgent: document.user_agent,
    createdAt: document.created_at,
    lastUsedAt: document.last_used_at,
    expiresAt: document.expires_at,
  };
}
