import { ListAssetsRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import {
  byCreation,
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
  type TenantFilter,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { type Asset, AssetNotFoundError } from "./asset.ts";

interface AssetDocument extends TenantDocument {
  asset_id: string;
  name: string;
  kind: string;
  dataset_ids: string[];
  owner: string | null;
  told_at?: Date;
  /** What the memberships say, kept here so that assets in none are found by an index. */
  workspace_ids: string[];
  created_at: Date;
  updated_at: Date;
}

/** Assets that come into a workspace and leave it. */
export interface WorkspaceMove {
  workspaceId: string;
  added: readonly string[];
  removed: readonly string[];
}

const collection = "assets";

const assetList = new ListQuery(ListAssetsRequestSchema, { defaultSort: oldestFirst });
const inNone = { workspace_ids: [] };

/** The assets of the organisations. Their ids are the callers' own, so each organisation has its own of each. */
export class AssetStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
      { name: "workspaces", key: { organisation_id: 1, workspace_ids: 1, created_at: 1, _id: 1 } },
    ],
  };

  readonly #assets: TenantCollection<AssetDocument>;

  constructor(store: DocumentStore) {
    this.#assets = new TenantCollection(store, collection);
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<Asset | undefined> {
    const document = await this.#assets.findOne(organisationId, { _id: keyOf(organisationId, id) }, { session });
    return document && toAsset(document);
  }

  /** @throws AssetNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<Asset> {
    const found = await this.find(organisationId, id, session);
    if (!found) throw new AssetNotFoundError(id);
    return found;
  }

  /** Those of the ids that exist in the organisation, in no order. */
  async findAll(organisationId: string, ids: readonly string[], session?: ClientSession): Promise<Asset[]> {
    if (ids.length === 0) return [];
    const keys = ids.map((id) => keyOf(organisationId, id));
    const documents = await this.#assets.find(organisationId, { _id: { $in: keys } }, { session });
    return documents.map(toAsset);
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(
    organisationId: string,
    { ungrouped, ...request }: ListPageRequest & { ungrouped: boolean },
  ): Promise<Page<Asset>> {
    const source = { list: assetList, request, within: ungrouped ? inNone : {} };
    const { items, nextCursor } = await findPage(this.#assets, organisationId, source);
    return { items: items.map(toAsset), nextCursor };
  }

  /** The oldest assets that are in no workspace. */
  ungrouped(organisationId: string, limit: number, session?: ClientSession): Promise<Asset[]> {
    return this.#oldest(organisationId, inNone, { limit, session });
  }

  /** The oldest assets that are in a workspace. */
  grouped(organisationId: string, limit: number, session?: ClientSession): Promise<Asset[]> {
    return this.#oldest(organisationId, { "workspace_ids.0": { $exists: true } }, { limit, session });
  }

  /** How many were registered here. */
  countRegistered(organisationId: string, session: ClientSession): Promise<number> {
    return this.#assets.count(organisationId, { owner: null }, { session });
  }

  async insert(organisationId: string, asset: Asset, session: ClientSession): Promise<void> {
    await this.#assets.insert(organisationId, toDocument(asset), { session });
  }

  /** Stores the asset's facts; its workspaces are stored by `move`. */
  async update(organisationId: string, asset: Asset, session: ClientSession): Promise<void> {
    const { name, kind, dataset_ids, owner, updated_at, told_at } = toDocument(asset);
    const told = told_at ? { told_at } : {};
    const update = { $set: { name, kind, dataset_ids, owner, updated_at, ...told } };
    await this.#assets.updateOne(organisationId, { _id: keyOf(organisationId, asset.id) }, update, { session });
  }

  async delete(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#assets.deleteOne(organisationId, { _id: keyOf(organisationId, id) }, { session });
  }

  /** Stores which workspaces the assets are in; in one transaction with the memberships. */
  async move(organisationId: string, moves: readonly WorkspaceMove[], session: ClientSession): Promise<void> {
    const among = (ids: readonly string[]) => ({ _id: { $in: ids.map((id) => keyOf(organisationId, id)) } });
    const updates = moves.flatMap(({ workspaceId, added, removed }) => [
      ...(added.length > 0 ? [{ filter: among(added), update: { $addToSet: { workspace_ids: workspaceId } } }] : []),
      ...(removed.length > 0 ? [{ filter: among(removed), update: { $pull: { workspace_ids: workspaceId } } }] : []),
    ]);
    await this.#assets.updateEach(organisationId, updates, { session });
  }

  /** Takes every asset out of a deleted workspace. */
  async leave(organisationId: string, workspaceId: string, session: ClientSession): Promise<void> {
    const updates = [{ filter: { workspace_ids: workspaceId }, update: { $pull: { workspace_ids: workspaceId } } }];
    await this.#assets.updateEach(organisationId, updates, { session });
  }

  async #oldest(
    organisationId: string,
    filter: TenantFilter<AssetDocument>,
    { limit, session }: { limit: number; session: ClientSession | undefined },
  ): Promise<Asset[]> {
    const found = await this.#assets.find(organisationId, filter, { sort: byCreation, limit, session });
    return found.map(toAsset);
  }
}

/** Ids are unique within an organisation only. */
function keyOf(organisationId: string, id: string): string {
  return `${organisationId}/${id}`;
}

function toDocument(asset: Asset): AssetDocument {
  return {
    _id: keyOf(asset.organisationId, asset.id),
    organisation_id: asset.organisationId,
    asset_id: asset.id,
    name: asset.name,
    kind: asset.kind,
    dataset_ids: asset.datasetIds,
    owner: asset.owner ?? null,
    ...(asset.toldAt ? { told_at: asset.toldAt } : {}),
    workspace_ids: asset.workspaceIds,
    created_at: asset.createdAt,
    updated_at: asset.updatedAt,
  };
}

function toAsset(document: AssetDocument): Asset {
  return {
    id: document.asset_id,
    organisationId: document.organisation_id,
    name: document.name,
    kind: document.kind,
    datasetIds: document.dataset_ids,
    owner: document.owner ?? undefined,
    ...(document.told_at ? { toldAt: document.told_at } : {}),
    workspaceIds: document.workspace_ids,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
