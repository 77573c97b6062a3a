import { ListApiKeysRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
  type TenantFilter,
  translated,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { type ApiKey, ApiKeyNotFoundError } from "./api-key.ts";

interface ApiKeyDocument extends TenantDocument {
  name: string;
  hash: string;
  last_four: string;
  permission_ids: string[];
  created_at: Date;
  expires_at?: Date;
  last_used_at?: Date;
  revoked_at?: Date;
  created_by_member_id?: string;
  replaced_by_id?: string;
}

/** A key together with the hash of its secret. */
export interface StoredApiKey {
  apiKey: ApiKey;
  hash: string;
}

const collection = "api_keys";

const apiKeyList = new ListQuery(ListApiKeysRequestSchema, { defaultSort: oldestFirst });

export class ApiKeyStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "hash", key: { hash: 1 }, unique: true },
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
      { name: "usable", key: { organisation_id: 1, revoked_at: 1, expires_at: 1 } },
      { name: "creator", key: { organisation_id: 1, created_by_member_id: 1, created_at: 1, _id: 1 } },
    ],
  };

  readonly #apiKeys: TenantCollection<ApiKeyDocument>;
  readonly #everywhere: Collection<ApiKeyDocument>;

  constructor(store: DocumentStore) {
    this.#apiKeys = new TenantCollection(store, collection);
    this.#everywhere = store.database.collection<ApiKeyDocument>(collection);
  }

  async insert(organisationId: string, { apiKey, hash }: StoredApiKey, session: ClientSession): Promise<void> {
    await this.#apiKeys.insert(organisationId, toDocument(apiKey, hash), { session });
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<ApiKey | undefined> {
    const document = await this.#apiKeys.findOne(organisationId, { _id: id }, { session });
    return document && toApiKey(document);
  }

  /** @throws ApiKeyNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<ApiKey> {
    const found = await this.find(organisationId, id, session);
    if (!found) throw new ApiKeyNotFoundError(id);
    return found;
  }

  /** In whichever organisation: ids are unique over all of them, and the notebook hub knows no organisation. */
  async findEverywhere(id: string): Promise<ApiKey | undefined> {
    const document = await translated(() => this.#everywhere.findOne({ _id: id }));
    return document ? toApiKey(document) : undefined;
  }

  /** In whichever organisation: the key is what names it. */
  async findByHash(hash: string): Promise<StoredApiKey | undefined> {
    const document = await translated(() => this.#everywhere.findOne({ hash }));
    return document ? { apiKey: toApiKey(document), hash: document.hash } : undefined;
  }

  /** Only a member's where one is given. @throws InvalidListRequestError, InvalidCursorError */
  async list(
    organisationId: string,
    { createdByMemberId, ...request }: ListPageRequest & { createdByMemberId?: string | undefined },
  ): Promise<Page<ApiKey>> {
    const within = createdByMemberId === undefined ? {} : { created_by_member_id: createdByMemberId };
    const { items, nextCursor } = await findPage(this.#apiKeys, organisationId, { list: apiKeyList, request, within });
    return { items: items.map(toApiKey), nextCursor };
  }

  /** Those that are neither revoked nor expired. */
  async countUsable(organisationId: string, now: Date, session?: ClientSession): Promise<number> {
    const isEndless = { revoked_at: { $exists: false }, expires_at: { $exists: false } };
    const ends = { revoked_at: { $exists: false }, expires_at: { $gt: now } };
    const count = (filter: TenantFilter<ApiKeyDocument>) => this.#apiKeys.count(organisationId, filter, { session });
    return (await count(isEndless)) + (await count(ends));
  }

  /** Stores which key takes over, and until when this one goes on. */
  async setSuccessor(
    organisationId: string,
    { id, replacedById, expiresAt }: { id: string; replacedById: string; expiresAt: Date },
    session: ClientSession,
  ): Promise<void> {
    const update = { $set: { replaced_by_id: replacedById, expires_at: expiresAt } };
    await this.#apiKeys.updateOne(organisationId, { _id: id }, update, { session });
  }

  async revoke(organisationId: string, id: string, at: Date, session: ClientSession): Promise<void> {
    await this.#apiKeys.updateOne(organisationId, { _id: id }, { $set: { revoked_at: at } }, { session });
  }

  /** Lets every key end that long after its creation at the latest, but not before a time. */
  async endWithin(
    organisationId: string,
    { maxLifetimeMs, notBefore }: { maxLifetimeMs: number; notBefore: Date },
    session: ClientSession,
  ): Promise<void> {
    const latest = { $max: [{ $add: ["$created_at", maxLifetimeMs] }, notBefore] };
    // An end that is absent counts for nothing.
    const update = [{ $set: { expires_at: { $min: ["$expires_at", latest] } } }];
    const filter = { organisation_id: organisationId, revoked_at: { $exists: false } };
    await translated(() => this.#everywhere.updateMany(filter, update, { session }));
  }

  /** Revokes every key that the member made, and answers those that were not revoked yet. */
  async revokeOfMember(organisationId: string, memberId: string, at: Date, session: ClientSession): Promise<ApiKey[]> {
    const filter = { created_by_member_id: memberId, revoked_at: { $exists: false } };
    const found = await this.#apiKeys.find(organisationId, filter, { session });
    await this.#apiKeys.updateEach(organisationId, [{ filter, update: { $set: { revoked_at: at } } }], { session });
    return found.map(toApiKey);
  }

  /** Never moves the time back, whichever replica comes last. */
  async setLastUsed(organisationId: string, id: string, at: Date): Promise<void> {
    await this.#apiKeys.updateOne(organisationId, { _id: id }, { $max: { last_used_at: at } });
  }
}

function toDocument(apiKey: ApiKey, hash: string): ApiKeyDocument {
  return {
    _id: apiKey.id,
    organisation_id: apiKey.organisationId,
    name: apiKey.name,
    hash,
    last_four: apiKey.lastFour,
    permission_ids: apiKey.permissionIds,
    created_at: apiKey.createdAt,
    ...(apiKey.expiresAt ? { expires_at: apiKey.expiresAt } : {}),
    ...(apiKey.lastUsedAt ? { last_used_at: apiKey.lastUsedAt } : {}),
    ...(apiKey.revokedAt ? { revoked_at: apiKey.revokedAt } : {}),
    ...(apiKey.createdByMemberId === undefined ? {} : { created_by_member_id: apiKey.createdByMemberId }),
    ...(apiKey.replacedById === undefined ? {} : { replaced_by_id: apiKey.replacedById }),
  };
}

function toApiKey(document: ApiKeyDocument): ApiKey {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    name: document.name,
    lastFour: document.last_four,
    permissionIds: document.permission_ids,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
    lastUsedAt: document.last_used_at,
    revokedAt: document.revoked_at,
    createdByMemberId: document.created_by_member_id,
    replacedById: document.replaced_by_id,
  };
}
