import {
  ListAuditRecordsRequestSchema,
  ListInstallationAuditRecordsRequestSchema,
} from "@aiplatform/contract/aiplatform/identity/v1/audit";
import {
  asStoreError,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  isDuplicateKey,
  type Page,
  TenantCollection,
  type TenantDocument,
  toRead,
  translated,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, type ListStorage } from "@aiplatform/list-filter";
import type { AuditOutcome, AuditRecord } from "./audit-record.ts";

/** A record at rest. `organisation_id` is empty where no organisation is known: no organisation's query finds those. */
interface AuditRecordDocument extends TenantDocument {
  /** Present on what concerns the installation. */
  installation?: true;
  at: Date;
  action: string;
  outcome: AuditOutcome;
  member_id?: string;
  credential_id?: string;
  request_id?: string;
  /** Absent from records that earlier versions made: not known. */
  request_id_source?: string;
  entity_id?: string;
  reason?: string;
  rpc?: string;
  source_address?: string;
  /** Absent from records of refusals that earlier versions made: 1. */
  count?: number;
  /** JSON of an object. */
  details?: string;
  /** When the database may erase the record; absent: never. */
  erase_at?: Date;
}

/** Which records; what is absent does not restrict. */
export interface AuditFilter {
  memberId?: string | undefined;
  credentialId?: string | undefined;
  action?: string | undefined;
  outcome?: AuditOutcome | undefined;
  entityId?: string | undefined;
  requestId?: string | undefined;
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

const collection = "audit_records";
const dayMs = 24 * 3_600_000;

const storage: ListStorage = {
  bindings: { "actor.member_id": "member_id", "actor.credential_id": "credential_id" },
  defaultSort: [
    ["at", -1, "date"],
    ["_id", -1, "string"],
  ],
};
const ofOrganisation = new ListQuery(ListAuditRecordsRequestSchema, storage);
const ofInstallation = new ListQuery(ListInstallationAuditRecordsRequestSchema, storage);

/** Newest first among the organisation's records with the field. */
function within(field: "member_id" | "credential_id" | "action" | "entity_id" | "request_id") {
  const key = { organisation_id: 1, [field]: 1, at: -1, _id: -1 } as const;
  return { name: field, key, partialFilterExpression: { [field]: { $exists: true } } };
}

/**
 * The audit log. It has no method that changes or removes a record; their age removes them, where the operator says so, and the
 * deletion of their organisation. What concerns the installation stays.
 */
export class AuditRecordStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    keptAfterDeletion: "installation",
    indexes: [
      { name: "time", key: { organisation_id: 1, at: -1, _id: -1 } },
      ...(["member_id", "credential_id", "action", "entity_id", "request_id"] as const).map(within),
      {
        name: "refused",
        key: { organisation_id: 1, outcome: 1, at: -1, _id: -1 },
        partialFilterExpression: { outcome: "refused" },
      },
      {
        name: "installation",
        key: { installation: 1, at: -1, _id: -1 },
        partialFilterExpression: { installation: true },
      },
      {
        name: "erasure",
        key: { erase_at: 1 },
        expireAfterSeconds: 0,
        partialFilterExpression: { erase_at: { $exists: true } },
      },
    ],
  };

  readonly #records: Collection<AuditRecordDocument>;
  readonly #byOrganisation: TenantCollection<AuditRecordDocument>;

  constructor(store: DocumentStore) {
    this.#records = store.database.collection<AuditRecordDocument>(collection);
    this.#byOrganisation = new TenantCollection(store, collection);
  }

  /** Adds the records; those that are there already stay as they are. `retentionDays` 0: they are kept for ever. */
  async append(records: readonly AuditRecord[], retentionDays: number): Promise<void> {
    if (records.length === 0) return;
    const documents = records.map((record) => toDocument(record, retentionDays));
    try {
      await this.#records.insertMany(documents, { ordered: false });
    } catch (error) {
      if (!isOnlyDuplicates(error)) throw asStoreError(error);
    }
  }

  /** The organisation's records. A page of large ones holds fewer than asked for. @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, which: AuditFilter, request: ListPageRequest): Promise<Page<AuditRecord>> {
    const source = { list: ofOrganisation, request, within: conditions(which), sizeOf: sizeOfRecord };
    const { items, nextCursor } = await findPage(this.#byOrganisation, organisationId, source);
    return { items: items.map(toRecord), nextCursor };
  }

  /** What concerns the installation, whatever the organisation. @throws InvalidListRequestError, InvalidCursorError */
  async listOfInstallation(which: AuditFilter, request: ListPageRequest): Promise<Page<AuditRecord>> {
    const selection = ofInstallation.read(request);
    const filter = selection.after(request.cursor, { ...conditions(which), installation: true });
    const query = this.#records.find(filter, { sort: { ...selection.sort }, limit: toRead(request) });
    const { items, nextCursor } = selection.page(await translated(() => query.toArray()), request);
    return { items: items.map(toRecord), nextCursor };
  }
}

/** Each refused document of a batch by itself: one other failure among repeats must not pass for a repeat. */
function isOnlyDuplicates(error: unknown): boolean {
  if (!isDuplicateKey(error)) return false;
  const { writeErrors, writeConcernErrors } = Object(error);
  const each: unknown[] = Array.isArray(writeErrors) ? writeErrors : [error];
  const unmet = Array.isArray(writeConcernErrors) ? writeConcernErrors.length : 0;
  return unmet === 0 && each.every((one) => Object(one).code === 11000);
}

/** Without what is short in all records. */
function sizeOfRecord({ details = "" }: AuditRecordDocument): number {
  return details.length;
}

function conditions(filter: AuditFilter) {
  const fields = {
    member_id: filter.memberId,
    credential_id: filter.credentialId,
    action: filter.action,
    outcome: filter.outcome,
    entity_id: filter.entityId,
    request_id: filter.requestId,
  };
  const equal = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const { since, until } = filter;
  const times = { ...(since ? { $gte: since } : {}), ...(until ? { $lt: until } : {}) };
  return { ...equal, ...(since || until ? { at: times } : {}) };
}

function toDocument(record: AuditRecord, retentionDays: number): AuditRecordDocument {
  const optional = {
    installation: record.installation || undefined,
    member_id: record.memberId,
    credential_id: record.credentialId,
    request_id: record.requestId,
    request_id_source: record.requestIdSource,
    entity_id: record.entityId,
    reason: record.reason,
    rpc: record.rpc,
    source_address: record.sourceAddress,
    count: record.count,
    details: record.details,
    erase_at: retentionDays > 0 ? new Date(record.at.getTime() + retentionDays * dayMs) : undefined,
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  const { id, organisationId, at, action, outcome } = record;
  return { _id: id, organisation_id: organisationId, at, action, outcome, ...known };
}

function toRecord(document: AuditRecordDocument): AuditRecord {
  return {
    id: document._id,
    organisationId: document.organisation_id,
    installation: document.installation ?? false,
    at: document.at,
    action: document.action,
    outcome: document.outcome,
    memberId: document.member_id,
    credentialId: document.credential_id,
    requestId: document.request_id,
    requestIdSource: document.request_id_source,
    entityId: document.entity_id,
    reason: document.reason,
    rpc: document.rpc,
    sourceAddress: document.source_address,
    count: document.count ?? (document.outcome === "refused" ? 1 : undefined),
    details: document.details,
  };
}
