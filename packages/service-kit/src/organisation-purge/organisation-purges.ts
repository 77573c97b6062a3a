import {
  type ClientSession,
  type Collection,
  type DeletedOrganisationDocument,
  DeletedOrganisations,
  type DocumentStore,
  type HeldLease,
  Leases,
  translated,
} from "@aiplatform/document-store";
import type { NextPass, Purge, PurgeState } from "./purge-state.ts";

interface PurgeDocument extends DeletedOrganisationDocument {
  state: PurgeState;
  /** Whether there is another pass. */
  open: boolean;
  holder: string | null;
  /** End of the lease, or when the next pass is due. */
  due_at: Date;
  failures: number;
  purged_at?: Date;
  settled_at?: Date;
}

const { collection } = DeletedOrganisations.indexes;

/** How far the purges of deleted organisations are. Their documents stay, so that nothing is taken for such an organisation again. */
export class OrganisationPurges {
  readonly leases: Leases<PurgeDocument, Purge>;
  readonly #purges: Collection<PurgeDocument>;
  readonly #now: () => Date;
  readonly #listeners = new Set<() => void>();

  constructor(store: DocumentStore) {
    this.#purges = store.database.collection<PurgeDocument>(collection);
    this.#now = store.now;
    this.leases = new Leases(store, {
      collection,
      fields: { holder: "holder", expiresAt: "due_at", failures: "failures" },
      wanted: { open: true },
      read: ({ state, deleted_at: deletedAt }) => ({ state, deletedAt }),
    });
  }

  /** The organisation is deleted from now on: its events have no effect, and what it has is removed. Again, it has no effect. */
  async begin(organisationId: string, session: ClientSession): Promise<void> {
    const now = this.#now();
    const begun = {
      ...{ organisation_id: organisationId, deleted_at: now, state: "purging" as const, open: true },
      ...{ holder: null, due_at: now, failures: 0 },
    };
    const options = { session, upsert: true };
    await translated(() => this.#purges.updateOne({ _id: organisationId }, { $setOnInsert: begun }, options));
    session.once("ended", () => {
      for (const listener of this.#listeners) listener();
    });
  }

  /** Organisations that still have something here. */
  async underWay(): Promise<ReadonlySet<string>> {
    const query = this.#purges.find({ open: true, state: "purging" }, { projection: { _id: 1 } });
    return new Set((await translated(() => query.toArray())).map(({ _id }) => _id));
  }

  /** Calls back when this process has begun a purge. */
  onBegin(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Writes what a pass has led to, and releases the lease. Answers false where the holder no longer has it. */
  async advance({ id, holder }: HeldLease, { state, dueAt }: NextPass, session: ClientSession): Promise<boolean> {
    const now = this.#now();
    const reached = state === "purging" ? {} : { [`${state}_at`]: now };
    const released = { ...this.leases.freed(dueAt ?? now), state, open: dueAt !== undefined, ...reached };
    const filter = { ...this.leases.fence(holder), _id: id };
    return (await translated(() => this.#purges.updateOne(filter, { $set: released }, { session }))).matchedCount > 0;
  }
}
