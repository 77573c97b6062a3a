import {
  type ClientSession,
  type DocumentStore,
  type HeldLease,
  type IndexPlan,
  Leases,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import type { Deletion } from "./deletion.ts";

interface DeletionDocument extends TenantDocument {
  kind: Deletion["kind"];
  pipeline_id: string;
  deleted_at: Date;
  holder: string | null;
  /** End of the lease, or when the next pass is due. */
  due_at: Date;
  failures: number;
}

const collection = "deletions";

/** What was deleted and may still have data. A document goes when nothing can be left. */
export class DeletionStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "due", key: { organisation_id: 1, due_at: 1 } }],
  };

  readonly leases: Leases<DeletionDocument, Deletion>;
  readonly #deletions: TenantCollection<DeletionDocument>;

  constructor(store: DocumentStore) {
    this.#deletions = new TenantCollection(store, collection);
    this.leases = new Leases(store, {
      collection,
      fields: { holder: "holder", expiresAt: "due_at", failures: "failures" },
      wanted: {},
      read: deletionOf,
    });
  }

  async insert(organisationId: string, deletions: readonly Deletion[], session: ClientSession): Promise<void> {
    await this.#deletions.insertMany(organisationId, deletions.map(documentOf), { session });
  }

  /** Forgets a deletion whose data is gone, where the holder still has it. */
  async end({ organisationId, id, holder }: HeldLease): Promise<void> {
    await this.#deletions.deleteOne(organisationId, { ...this.leases.fence(holder), _id: id });
  }
}

function documentOf({ id, kind, organisationId, pipelineId, deletedAt }: Deletion): DeletionDocument {
  const free = { holder: null, due_at: deletedAt, failures: 0 };
  return { _id: id, organisation_id: organisationId, kind, pipeline_id: pipelineId, deleted_at: deletedAt, ...free };
}

function deletionOf({ _id: id, kind, organisation_id, pipeline_id, deleted_at }: DeletionDocument): Deletion {
  return { id, kind, organisationId: organisation_id, pipelineId: pipeline_id, deletedAt: deleted_at };
}
