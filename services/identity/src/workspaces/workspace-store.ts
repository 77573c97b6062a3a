import { ListWorkspacesRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import { type SearchedCollection, type SearchFields, searchFields, searchIndex } from "@aiplatform/search";
import { type Workspace, WorkspaceNotFoundError } from "./workspace.ts";

interface WorkspaceDocument extends TenantDocument, Partial<SearchFields> {
  name: string;
  description: string;
  draft_id: string | null;
  seed_asset_id: string | null;
  asset_count: number;
  created_at: Date;
  updated_at: Date;
}

/** A deleted asset and the workspaces that it was in. */
export interface RemovedAsset {
  assetId: string;
  workspaceIds: readonly string[];
  time: Date;
}

/** Assets that came into a workspace. */
export interface Growth {
  workspaceId: string;
  by: number;
}

const collection = "workspaces";

export const workspaceSearch: SearchedCollection = {
  kind: SearchKind.WORKSPACE,
  collection,
  name: "name",
  texts: ["description"],
  parameters: { workspace_id: "_id" },
  orderIndex: "creation",
};

const workspaceList = new ListQuery(ListWorkspacesRequestSchema, { defaultSort: oldestFirst });

/** The workspaces of the organisations; what is in them is kept by `MembershipStore`. */
export class WorkspaceStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "by_name", key: { organisation_id: 1, name: 1, _id: 1 } },
      searchIndex,
      {
        name: "draft",
        key: { organisation_id: 1, draft_id: 1 },
        unique: true,
        // What the platform's own rule made is of no draft.
        partialFilterExpression: { draft_id: { $gt: "" } },
      },
    ],
  };

  readonly #workspaces: TenantCollection<WorkspaceDocument>;

  constructor(store: DocumentStore) {
    this.#workspaces = new TenantCollection(store, collection);
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<Workspace | undefined> {
    const document = await this.#workspaces.findOne(organisationId, { _id: id }, { session });
    return document && toWorkspace(document);
  }

  /** @throws WorkspaceNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<Workspace> {
    const found = await this.find(organisationId, id, session);
    if (!found) throw new WorkspaceNotFoundError(id);
    return found;
  }

  /** Those of the drafts that have a workspace. */
  async findByDrafts(
    organisationId: string,
    draftIds: readonly string[],
    session: ClientSession,
  ): Promise<Workspace[]> {
    if (draftIds.length === 0) return [];
    const found = await this.#workspaces.find(organisationId, { draft_id: { $in: [...draftIds] } }, { session });
    return found.map(toWorkspace);
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<Workspace>> {
    const source = { list: workspaceList, request };
    const { items, nextCursor } = await findPage(this.#workspaces, organisationId, source);
    return { items: items.map(toWorkspace), nextCursor };
  }

  async findCreationTimes(organisationId: string, session: ClientSession): Promise<Map<string, Date>> {
    const found = await this.#workspaces.find(organisationId, {}, { session });
    return new Map(found.map(({ _id, created_at }) => [_id, created_at]));
  }

  count(organisationId: string, session: ClientSession): Promise<number> {
    return this.#workspaces.count(organisationId, {}, { session });
  }

  async insertMany(organisationId: string, workspaces: readonly Workspace[], session: ClientSession): Promise<void> {
    await this.#workspaces.insertMany(organisationId, workspaces.map(toDocument), { session });
  }

  async updateMany(organisationId: string, workspaces: readonly Workspace[], session: ClientSession): Promise<void> {
    const updates = workspaces.map((workspace) => {
      const { name, description, search_words, seed_asset_id, asset_count, updated_at } = toDocument(workspace);
      const update = { $set: { name, description, search_words, seed_asset_id, asset_count, updated_at } };
      return { filter: { _id: workspace.id }, update };
    });
    await this.#workspaces.updateEach(organisationId, updates, { session });
  }

  async grow(
    organisationId: string,
    { growth, time }: { growth: readonly Growth[]; time: Date },
    session: ClientSession,
  ): Promise<void> {
    const updates = growth.map(({ workspaceId, by }) => {
      const update = { $inc: { asset_count: by }, $set: { updated_at: time } };
      return { filter: { _id: workspaceId }, update };
    });
    await this.#workspaces.updateEach(organisationId, updates, { session });
  }

  /** Takes a deleted asset out of its workspaces, also where it was the seed. */
  async removeAsset(
    organisationId: string,
    { assetId, workspaceIds, time }: RemovedAsset,
    session: ClientSession,
  ): Promise<void> {
    const fewer = { $inc: { asset_count: -1 }, $set: { updated_at: time } };
    const updates = [
      { filter: { _id: { $in: [...workspaceIds] } }, update: fewer },
      { filter: { seed_asset_id: assetId }, update: { $set: { seed_asset_id: null, updated_at: time } } },
    ];
    await this.#workspaces.updateEach(organisationId, updates, { session });
  }

  async delete(organisationId: string, id: string, session: ClientSession): Promise<void> {
    await this.#workspaces.deleteOne(organisationId, { _id: id }, { session });
  }
}

function toDocument(workspace: Workspace): WorkspaceDocument & SearchFields {
  return {
    _id: workspace.id,
    organisation_id: workspace.organisationId,
    name: workspace.name,
    description: workspace.description,
    draft_id: workspace.draftId ?? null,
    seed_asset_id: workspace.seedAssetId ?? null,
    asset_count: workspace.assetCount,
    created_at: workspace.createdAt,
    updated_at: workspace.updatedAt,
    ...searchFields(workspaceSearch, workspace),
  };
}

function toWorkspace(document: WorkspaceDocument): Workspace {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    name: document.name,
    description: document.description,
    draftId: document.draft_id ?? undefined,
    seedAssetId: document.seed_asset_id ?? undefined,
    assetCount: document.asset_count,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
