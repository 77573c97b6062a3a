import type { ClientSession, Collection } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { translated } from "./errors.ts";
import type { IndexPlan } from "./schema/index-plan.ts";
import type { TenantDocument } from "./tenant-collection.ts";

/** What a database keeps of a deleted organisation, for ever. Both ids are the organisation's. */
export interface DeletedOrganisationDocument extends TenantDocument {
  /** When this database learned of the deletion, by its clock. */
  deleted_at: Date;
}

const collection = "deleted_organisations";

/** The deleted organisations that a database knows: what is said of one of them later has no effect. */
export class DeletedOrganisations {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "installation",
    indexes: [{ name: "due", key: { organisation_id: 1, due_at: 1 }, partialFilterExpression: { open: true } }],
  };

  readonly #organisations: Collection<DeletedOrganisationDocument>;

  constructor(store: Pick<DocumentStore, "database">) {
    this.#organisations = store.database.collection<DeletedOrganisationDocument>(collection);
  }

  async has(organisationId: string, session?: ClientSession): Promise<boolean> {
    return (await this.among([organisationId], session)).size > 0;
  }

  /** Which of the organisations were deleted. */
  async among(organisationIds: Iterable<string>, session?: ClientSession): Promise<ReadonlySet<string>> {
    const filter = { _id: { $in: [...new Set(organisationIds)] } };
    const options = { projection: { _id: 1 }, ...(session ? { session } : {}) };
    const found = await translated(() => this.#organisations.find(filter, options).toArray());
    return new Set(found.map(({ _id }) => _id));
  }
}
