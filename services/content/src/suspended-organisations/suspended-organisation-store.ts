import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  translated,
} from "@aiplatform/document-store";

/** How an organisation is, by identity's events. Its id is the document's. */
interface OrganisationStateDocument {
  _id: string;
  suspended: boolean;
  /** Of the event that said so. */
  revision: number;
}

const collection = "organisation_states";

/** Which organisations are suspended. What works in the background for all organisations asks it. */
export class SuspendedOrganisationStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "installation",
    indexes: [{ name: "suspended", key: { suspended: 1 }, partialFilterExpression: { suspended: true } }],
  };

  readonly #states: Collection<OrganisationStateDocument>;

  constructor(store: DocumentStore) {
    this.#states = store.database.collection<OrganisationStateDocument>(collection);
  }

  async all(): Promise<ReadonlySet<string>> {
    const found = await translated(() => this.#states.find({ suspended: true }, { projection: { _id: 1 } }).toArray());
    return new Set(found.map(({ _id }) => _id));
  }

  /** Has no effect where a later change is known already. */
  async put(
    organisationId: string,
    { suspended, revision }: Pick<OrganisationStateDocument, "suspended" | "revision">,
    session: ClientSession,
  ): Promise<void> {
    const known = await translated(() => this.#states.findOne({ _id: organisationId }, { session }));
    if (known && known.revision >= revision) return;
    const options = { session, upsert: true };
    const update = { $set: { suspended, revision } };
    await translated(() => this.#states.updateOne({ _id: organisationId }, update, options));
  }

  /** For an organisation that is deleted: of it, no other event has an effect. */
  async forget(organisationId: string, session: ClientSession): Promise<void> {
    await translated(() => this.#states.deleteOne({ _id: organisationId }, { session }));
  }
}
