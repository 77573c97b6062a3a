import { ListWorkspaceAssetsRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  type Page,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery } from "@aiplatform/list-filter";
import type { Membership } from "./workspace.ts";

interface MembershipDocument extends TenantDocument {
  workspace_id: string;
  asset_id: string;
  asset_name: string;
  role: string;
  source: string;
  confidence: number;
  /** As text: a key of it must never be taken for a database operator, and it is returned byte for byte. */
  evidence: string;
  algorithm_version: string;
  accepted_by_member_id: string | null;
  position: number;
  created_at: Date;
  updated_at: Date;
}

const collection = "workspace_assets";

const membershipList = new ListQuery(ListWorkspaceAssetsRequestSchema, {
  defaultSort: [
    ["created_at", 1, "date"],
    ["position", 1, "number"],
    ["asset_id", 1, "string"],
  ],
});

/** Which assets are in which workspaces, and why. */
export class MembershipStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "arrival", key: { organisation_id: 1, workspace_id: 1, created_at: 1, position: 1, asset_id: 1 } },
      { name: "asset", key: { organisation_id: 1, asset_id: 1 } },
    ],
  };

  readonly #memberships: TenantCollection<MembershipDocument>;

  constructor(store: DocumentStore) {
    this.#memberships = new TenantCollection(store, collection);
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, workspaceId: string, request: ListPageRequest): Promise<Page<Membership>> {
    const source = { list: membershipList, request, within: { workspace_id: workspaceId } };
    const { items, nextCursor } = await findPage(this.#memberships, organisationId, source);
    return { items: items.map(toMembership), nextCursor };
  }

  /** Everything in the workspaces. */
  async findAll(
    organisationId: string,
    workspaceIds: readonly string[],
    session: ClientSession,
  ): Promise<Membership[]> {
    if (workspaceIds.length === 0) return [];
    const filter = { workspace_id: { $in: [...workspaceIds] } };
    return (await this.#memberships.find(organisationId, filter, { session })).map(toMembership);
  }

  count(organisationId: string, session: ClientSession): Promise<number> {
    return this.#memberships.count(organisationId, {}, { session });
  }

  /** Upserts the memberships by asset and workspace. */
  async put(organisationId: string, memberships: readonly Membership[], session: ClientSession): Promise<void> {
    const documents = memberships.map(toDocument);
    const keys = documents.map(({ _id }) => _id);
    if (keys.length > 0) await this.#memberships.deleteMany(organisationId, { _id: { $in: keys } }, { session });
    await this.#memberships.insertMany(organisationId, documents, { session });
  }

  /** Takes assets out of a workspace. */
  async remove(
    organisationId: string,
    { workspaceId, assetIds }: { workspaceId: string; assetIds: readonly string[] },
    session: ClientSession,
  ): Promise<void> {
    if (assetIds.length === 0) return;
    const keys = assetIds.map((assetId) => keyOf({ organisationId, workspaceId, assetId }));
    await this.#memberships.deleteMany(organisationId, { _id: { $in: keys } }, { session });
  }

  async deleteOfAsset(organisationId: string, assetId: string, session: ClientSession): Promise<void> {
    await this.#memberships.deleteMany(organisationId, { asset_id: assetId }, { session });
  }

  async deleteOfWorkspace(organisationId: string, workspaceId: string, session: ClientSession): Promise<void> {
    await this.#memberships.deleteMany(organisationId, { workspace_id: workspaceId }, { session });
  }
}

/** An asset is in a workspace once. */
function keyOf({ organisationId, workspaceId, assetId }: { [part in KeyPart]: string }): string {
  return `${organisationId}/${workspaceId}/${assetId}`;
}

type KeyPart = "organisationId" | "workspaceId" | "assetId";

function toDocument(membership: Membership): MembershipDocument {
  return {
    _id: keyOf(membership),
    organisation_id: membership.organisationId,
    workspace_id: membership.workspaceId,
    asset_id: membership.assetId,
    asset_name: membership.assetName,
    role: membership.role,
    source: membership.source,
    confidence: membership.confidence,
    evidence: membership.evidence,
    algorithm_version: membership.algorithmVersion,
    accepted_by_member_id: membership.acceptedByMemberId ?? null,
    position: membership.position,
    created_at: membership.createdAt,
    updated_at: membership.updatedAt,
  };
}

function toMembership(document: MembershipDocument): Membership {
  return {
    workspaceId: document.workspace_id,
    organisationId: document.organisation_id,
    assetId: document.asset_id,
    assetName: document.asset_name,
    role: document.role,
    source: document.source,
    confidence: document.confidence,
    evidence: document.evidence,
    algorithmVersion: document.algorithm_version,
    acceptedByMemberId: document.accepted_by_member_id ?? undefined,
    position: document.position,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
