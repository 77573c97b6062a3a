import { ListFeatureUsagesRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import type { FeatureUsage, UsingAsset } from "./feature-usage.ts";

interface UsageDocument extends TenantDocument {
  feature_id: string;
  feature_key: string;
  asset_type: string;
  asset_id: string;
  asset_name: string;
  usage_notes: string;
  annotations: string;
  created_at: Date;
  updated_at: Date;
  created_by_member_id: string | null;
  updated_by_member_id: string | null;
}

const collection = "feature_usages";

const usageList = new ListQuery(ListFeatureUsagesRequestSchema, {
  defaultSort: [
    ["asset_name", 1, "string"],
    ["_id", 1, "string"],
  ],
});

/** What uses the features. Written only by who has claimed the feature, or takes away what uses it. */
export class FeatureUsageStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "asset", key: { organisation_id: 1, feature_id: 1, asset_type: 1, asset_id: 1 }, unique: true },
      { name: "names", key: { organisation_id: 1, feature_id: 1, asset_name: 1, _id: 1 } },
      { name: "features", key: { organisation_id: 1, asset_type: 1, asset_id: 1 } },
    ],
  };

  readonly #usages: TenantCollection<UsageDocument>;

  constructor(store: DocumentStore) {
    this.#usages = new TenantCollection(store, collection);
  }

  /** A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(
    organisationId: string,
    featureId: string,
    { session, ...request }: ListPageRequest & { session?: ClientSession },
  ): Promise<Page<FeatureUsage>> {
    const source = { list: usageList, request, within: { feature_id: featureId }, sizeOf: sizeOfUsage, session };
    const { items, nextCursor } = await findPage(this.#usages, organisationId, source);
    return { items: items.map(toUsage), nextCursor };
  }

  count(organisationId: string, featureId: string, session: ClientSession): Promise<number> {
    return this.#usages.count(organisationId, { feature_id: featureId }, { session });
  }

  /** Ids of what uses the feature, of one type. */
  async assetIds(
    organisationId: string,
    { featureId, assetType }: { featureId: string; assetType: string },
    session: ClientSession,
  ): Promise<string[]> {
    const filter = { feature_id: featureId, asset_type: assetType };
    const found = await this.#usages.find(organisationId, filter, { sort: { asset_id: 1 }, session });
    return found.map(({ asset_id: id }) => id);
  }

  async find(
    organisationId: string,
    { featureId, assetType, assetId }: UsingAsset & { featureId: string },
    session: ClientSession,
  ): Promise<FeatureUsage | undefined> {
    const filter = { feature_id: featureId, asset_type: assetType, asset_id: assetId };
    const document = await this.#usages.findOne(organisationId, filter, { session });
    return document && toUsage(document);
  }

  /** The uses that something makes of features. */
  async ofAsset(
    organisationId: string,
    { assetType, assetId }: UsingAsset,
    session: ClientSession,
  ): Promise<FeatureUsage[]> {
    const filter = { asset_type: assetType, asset_id: assetId };
    return (await this.#usages.find(organisationId, filter, { session })).map(toUsage);
  }

  async insertMany(organisationId: string, usages: readonly FeatureUsage[], session: ClientSession): Promise<void> {
    await this.#usages.insertMany(organisationId, usages.map(toDocument), { session });
  }

  async updateMany(organisationId: string, usages: readonly FeatureUsage[], session: ClientSession): Promise<void> {
    const updates = usages.map((usage) => {
      const { _id, organisation_id, ...fields } = toDocument(usage);
      return { filter: { _id }, update: { $set: fields } };
    });
    await this.#usages.updateEach(organisationId, updates, { session });
  }

  async deleteMany(organisationId: string, ids: readonly string[], session: ClientSession): Promise<void> {
    if (ids.length > 0) await this.#usages.deleteMany(organisationId, { _id: { $in: [...ids] } }, { session });
  }

  /** Forgets every use that something makes of features; answers how many those were. */
  deleteOfAsset(organisationId: string, { assetType, assetId }: UsingAsset, session?: ClientSession): Promise<number> {
    return this.#usages.deleteMany(organisationId, { asset_type: assetType, asset_id: assetId }, { session });
  }
}

function sizeOfUsage({ asset_name: name, usage_notes: notes, annotations }: UsageDocument): number {
  return name.length + notes.length + annotations.length;
}

function toDocument(usage: FeatureUsage): UsageDocument {
  return {
    _id: usage.id,
    organisation_id: usage.organisationId,
    feature_id: usage.featureId,
    feature_key: usage.featureKey,
    asset_type: usage.assetType,
    asset_id: usage.assetId,
    asset_name: usage.assetName,
    usage_notes: usage.usageNotes,
    annotations: usage.annotations,
    created_at: usage.createdAt,
    updated_at: usage.updatedAt,
    created_by_member_id: usage.createdByMemberId ?? null,
    updated_by_member_id: usage.updatedByMemberId ?? null,
  };
}

function toUsage(document: UsageDocument): FeatureUsage {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    featureId: document.feature_id,
    featureKey: document.feature_key,
    assetType: document.asset_type,
    assetId: document.asset_id,
    assetName: document.asset_name,
    usageNotes: document.usage_notes,
    annotations: document.annotations,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    createdByMemberId: document.created_by_member_id ?? undefined,
    updatedByMemberId: document.updated_by_member_id ?? undefined,
  };
}
