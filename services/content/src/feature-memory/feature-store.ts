import { ListFeaturesRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  KeyedMutex,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "@aiplatform/search";
import { type Feature, FeatureNotFoundError, type FeatureStatus } from "./feature.ts";

interface FeatureDocument extends TenantDocument, Partial<SearchFields> {
  key: string;
  description: string;
  usage_notes: string;
  status: FeatureStatus;
  version: number;
  owner_member_id: string | null;
  replacement_key: string | null;
  created_at: Date;
  updated_at: Date;
  deprecated_at: Date | null;
  /** How often a writer claimed it; counted so that writers conflict before they read what they will decide on. */
  claims: number;
}

/** The last version of a key that is gone. */
interface LastVersionDocument extends TenantDocument {
  version: number;
}

const collection = "features";

export const featureSearch: SearchedCollection = {
  kind: SearchKind.FEATURE,
  collection,
  name: "key",
  texts: ["description", "usage_notes"],
  parameters: { feature_key: "key" },
  orderIndex: "creation",
};

const featureList = new ListQuery(ListFeaturesRequestSchema, { defaultSort: [["key", 1, "string"]], unique: ["key"] });
const lastVersions = "feature_last_versions";

/** The features of the organisations, and the last versions of those that are gone. */
export class FeatureStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "key", key: { organisation_id: 1, key: 1 }, unique: true },
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      searchIndex,
    ],
  };
  static readonly lastVersionIndexes: IndexPlan = {
    collection: lastVersions,
    owner: "organisation",
    indexes: [{ name: "organisation", key: { organisation_id: 1 } }],
  };

  readonly #features: TenantCollection<FeatureDocument>;
  readonly #lastVersions: TenantCollection<LastVersionDocument>;
  readonly #mutex = new KeyedMutex();

  constructor(store: DocumentStore) {
    this.#features = new TenantCollection(store, collection);
    this.#lastVersions = new TenantCollection(store, lastVersions);
  }

  async find(organisationId: string, key: string, session?: ClientSession): Promise<Feature | undefined> {
    const document = await this.#features.findOne(organisationId, { key }, { session });
    return document && toFeature(document);
  }

  /** @throws FeatureNotFoundError */
  async get(organisationId: string, key: string): Promise<Feature> {
    const found = await this.find(organisationId, key);
    if (!found) throw new FeatureNotFoundError(key);
    return found;
  }

  /** Finds features to decide on them: no other transaction that claims or deletes one of them commits beside this one. */
  async claim(organisationId: string, keys: readonly string[], session: ClientSession): Promise<Feature[]> {
    // Writers of one feature would only undo each other's work. In one order, so that none waits for another that waits for it.
    for (const key of [...keys].sort()) await this.#mutex.acquire(placeOf(organisationId, key), session);
    const filter = { key: { $in: [...keys] } };
    await this.#features.updateEach(organisationId, [{ filter, update: { $inc: { claims: 1 } } }], { session });
    const found = await this.#features.find(organisationId, filter, { sort: { key: 1 }, session });
    return found.map(toFeature);
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Feature>> {
    const source = { list: featureList, request, sizeOf: sizeOfFeature };
    const { items, nextCursor } = await findPage(this.#features, organisationId, source);
    return { items: items.map(toFeature), nextCursor };
  }

  count(organisationId: string, session: ClientSession): Promise<number> {
    return this.#features.count(organisationId, {}, { session });
  }

  async insert(organisationId: string, feature: Feature, session: ClientSession): Promise<void> {
    await this.#features.insert(organisationId, { ...toDocument(feature), claims: 0 }, { session });
  }

  /** Keeps a claimed feature as it is now. */
  async update(organisationId: string, feature: Feature, session: ClientSession): Promise<void> {
    const { _id, organisation_id, ...fields } = toDocument(feature);
    await this.#features.updateOne(organisationId, { _id }, { $set: fields }, { session });
  }

  /** Forgets a claimed feature, but for its version. */
  async delete(organisationId: string, { id, key, version }: Feature, session: ClientSession): Promise<void> {
    await this.#features.deleteOne(organisationId, { _id: id }, { session });
    const place = { _id: placeOf(organisationId, key) };
    await this.#lastVersions.updateOne(organisationId, place, { $set: { version } }, { upsert: true, session });
  }

  /** The last version of a key that is gone; 0 of one that never was. */
  async lastVersion(organisationId: string, key: string, session: ClientSession): Promise<number> {
    const place = { _id: placeOf(organisationId, key) };
    return (await this.#lastVersions.findOne(organisationId, place, { session }))?.version ?? 0;
  }
}

function placeOf(organisationId: string, key: string): string {
  return `${organisationId} ${key}`;
}

function sizeOfFeature({ key, description, usage_notes: notes }: FeatureDocument): number {
  return key.length + description.length + notes.length;
}

function toDocument(feature: Feature): Omit<FeatureDocument, "claims"> {
  const { key, description, usageNotes: usage_notes } = feature;
  return {
    ...searchFields(featureSearch, { key, description, usage_notes }),
    _id: feature.id,
    organisation_id: feature.organisationId,
    key: feature.key,
    description: feature.description,
    usage_notes: feature.usageNotes,
    status: feature.status,
    version: feature.version,
    owner_member_id: feature.ownerMemberId ?? null,
    replacement_key: feature.replacementKey ?? null,
    created_at: feature.createdAt,
    updated_at: feature.updatedAt,
    deprecated_at: feature.deprecatedAt ?? null,
  };
}

function toFeature(document: FeatureDocument): Feature {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    key: document.key,
    description: document.description,
    usageNotes: document.usage_notes,
    status: document.status,
    version: document.version,
    ownerMemberId: document.owner_member_id ?? undefined,
    replacementKey: document.replacement_key ?? undefined,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    deprecatedAt: document.deprecated_at ?? undefined,
  };
}
