import { randomUUID } from "node:crypto";
import {
  connectDocumentStore,
  createIndexes,
  type DocumentStore,
  Leases,
  type TenantDocument,
} from "@aiplatform/document-store";
import { dropDatabase } from "@aiplatform/testkit";

/** What the workers of the tests work on: each is to be delivered once. */
export interface Parcel extends TenantDocument {
  open: boolean;
  due_at: Date;
  holder: string | null;
  failures?: number;
  /** Who delivered it, in the order of the deliveries. */
  delivered_by: string[];
}

const collection = "parcels";

/** The parcels of a database. */
export class Parcels implements AsyncDisposable {
  readonly leases: Leases<Parcel, Parcel>;
  /** The same, which know when a parcel will be due. */
  readonly timedLeases: Leases<Parcel, Parcel>;
  readonly #store: DocumentStore;

  private constructor(store: DocumentStore) {
    const fields = { holder: "holder", expiresAt: "due_at", failures: "failures" };
    const work = { collection, fields, wanted: { open: true }, read: (one: Parcel) => one };
    this.leases = new Leases<Parcel, Parcel>(store, work);
    this.timedLeases = new Leases<Parcel, Parcel>(store, { ...work, hasTimeIndex: true });
    this.#store = store;
  }

  static async open(database: string): Promise<Parcels> {
    const store = await connectDocumentStore({
      uri: process.env["TEST_MONGODB_URI"] ?? "",
      database,
      appName: "parcels",
    });
    const of = { partialFilterExpression: { open: true } };
    const indexes = [
      { key: { organisation_id: 1, due_at: 1 } as const, ...of },
      { key: { due_at: 1 } as const, ...of },
    ];
    await createIndexes(store, [{ collection, owner: "organisation", indexes }]);
    return new Parcels(store);
  }

  get #parcels() {
    return this.#store.database.collection<Parcel>(collection);
  }

  /** Adds parcels that are due, and answers their ids. Those that are not open are no work for a worker that looks for some. */
  async add(
    count: number,
    organisationId: string = randomUUID(),
    { open = true, dueAt = new Date(0) } = {},
  ): Promise<string[]> {
    const rest = { organisation_id: organisationId, open, due_at: dueAt, holder: null, delivered_by: [] };
    const made = Array.from({ length: count }, () => ({ _id: randomUUID(), ...rest }));
    await this.#parcels.insertMany(made);
    return made.map(({ _id }) => _id);
  }

  async get(id: string): Promise<Parcel> {
    const found = await this.#parcels.findOne({ _id: id });
    if (!found) throw new Error("there is no such parcel");
    return found;
  }

  openOf(organisationId: string): Promise<number> {
    return this.#parcels.countDocuments({ organisation_id: organisationId, open: true });
  }

  /** Ends the work on a parcel under the fence of its lease. Answers whether the holder still had it. */
  async deliver(id: string, holder: string): Promise<boolean> {
    const update = { $set: { open: false, holder: null }, $push: { delivered_by: holder } };
    return (await this.#parcels.updateOne({ _id: id, ...this.leases.fence(holder) }, update)).matchedCount > 0;
  }

  /** Gives the lease to another holder, as one would take it who believes that it has expired. */
  async steal(id: string): Promise<void> {
    await this.#parcels.updateOne({ _id: id }, { $set: { holder: "thief", due_at: new Date(Date.now() + 3_600_000) } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store.close();
  }

  /** Closes, and drops the database. */
  async drop(): Promise<void> {
    await dropDatabase(this.#store);
    await this.#store.close();
  }
}
