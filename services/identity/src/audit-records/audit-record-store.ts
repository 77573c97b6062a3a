import {
  asStoreError,
  type Collection,
  type DocumentStore,
  decodeCursor,
  type IndexPlan,
  isDuplicateKey,
  type Page,
  type PageRequest,
  pageBy,
  TenantCollection,
  type TenantDocument,
  toRead,
  translated,
} from "@aiplatform/document-store";
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
const newestFirst = { at: -1, _id: -1 } as const;
const dayMs = 24 * 3_600_000;

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

  /** The organisation's records. @throws InvalidCursorError */
  async list(organisationId: string, filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>> {
    const options = { sort: newestFirst, limit: toRead(page) };
    const found = await this.#byOrganisation.find(organisationId, conditions(filter, page), options);
    return pageBy(found.map(toRecord), page, placeOf);
  }

  /** What concerns the installation, whatever the organisation. @throws InvalidCursorError */
  async listOfInstallation(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>> {
    const condition = { ...conditions(filter, page), installation: true as const };
    const query = this.#records.find(condition, { sort: newestFirst, limit: toRead(page) });
    const found = await translated(() => query.toArray());
    return pageBy(found.map(toRecord), page, placeOf);
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

function conditions(filter: AuditFilter, { cursor }: PageRequest) {
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
  const range = since || until ? [{ at: times }] : [];
  const places = [...range, ...(cursor === "" ? [] : [after(cursor)])];
  return { ...equal, ...(places.length > 0 ? { $and: places } : {}) };
}

function after(cursor: string) {
  const [at, id] = decodeCursor(cursor, ["date", "string"]);
  // The first condition alone bounds the index; the second one tells those of the same moment apart.
  return { at: { $lte: at }, $or: [{ at: { $lt: at } }, { _id: { $lt: id } }] };
}

function placeOf({ at, id }: AuditRecord) {
  return [at, id];
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
  };
}
