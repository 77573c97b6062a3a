import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { type StoredHolder, toHolder, toStoredHolder } from "../credentials/holder-ref.ts";
import { type Delegation, DelegationNotFoundError } from "./delegation.ts";

interface DelegationDocument extends TenantDocument, StoredHolder {
  delegation_id: string;
  purpose: string;
  permission_ids: string[];
  digest?: string;
  created_at: Date;
  revoked_at?: Date;
}

const collection = "delegations";
/** Retention of ended delegations; the audit log keeps its records for longer. */
const retentionSeconds = 90 * 24 * 3_600;

/** Delegations of members and keys. Other services mint the ids, so they are unique within an organisation only. */
export class DelegationStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "retention", key: { revoked_at: 1 }, expireAfterSeconds: retentionSeconds }],
  };

  readonly #delegations: TenantCollection<DelegationDocument>;

  constructor(store: DocumentStore) {
    this.#delegations = new TenantCollection(store, collection);
  }

  async insert(organisationId: string, delegation: Delegation, session: ClientSession): Promise<void> {
    await this.#delegations.insert(organisationId, toDocument(delegation), { session });
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<Delegation | undefined> {
    const document = await this.#delegations.findOne(organisationId, { _id: keyOf(organisationId, id) }, { session });
    return document && toDelegation(document);
  }

  /** @throws DelegationNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<Delegation> {
    const found = await this.find(organisationId, id, session);
    if (!found) throw new DelegationNotFoundError(id);
    return found;
  }

  async revoke(organisationId: string, id: string, at: Date, session: ClientSession): Promise<void> {
    const update = { $set: { revoked_at: at } };
    await this.#delegations.updateOne(organisationId, { _id: keyOf(organisationId, id) }, update, { session });
  }
}

function keyOf(organisationId: string, id: string): string {
  return `${organisationId} ${id}`;
}

function toDocument(delegation: Delegation): DelegationDocument {
  const { id, organisationId, giver, purpose, permissionIds, digest, createdAt } = delegation;
  return {
    _id: keyOf(organisationId, id),
    organisation_id: organisationId,
    delegation_id: id,
    ...toStoredHolder(giver),
    purpose,
    permission_ids: permissionIds,
    ...(digest === undefined ? {} : { digest }),
    created_at: createdAt,
  };
}

function toDelegation(document: DelegationDocument): Delegation {
  return {
    id: document.delegation_id,
    organisationId: document.organisation_id,
    giver: toHolder(document),
    purpose: document.purpose,
    permissionIds: document.permission_ids,
    digest: document.digest,
    createdAt: document.created_at,
    revokedAt: document.revoked_at,
  };
}
