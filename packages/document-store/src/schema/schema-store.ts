import type { Collection, Document, Filter } from "mongodb";
import type { DocumentStore } from "../document-store.ts";
import { isDuplicateKey, translated } from "../errors.ts";
import { type MigrationStep, migrationRules, type SchemaState, SchemaTooNewError } from "./migration.ts";

/** The collection that says how far the documents of a database have come. */
export const schemaCollection = "schema";

/** A running process of the service. */
export interface SchemaReplica {
  id: string;
  /** The newest migration that it knows. */
  version: number;
  /** Tells its indexes apart from those of others. */
  indexes: string;
}

/** A step under way. */
export interface RunningStep {
  holder: string;
  version: number;
  pass: MigrationStep["pass"];
  /** Where the next batch begins. */
  after: string | null;
  /** How many documents were changed. */
  documents: number;
  expires_at: Date;
}

interface SchemaDocument {
  _id: "schema";
  version: number;
  prepared: number;
  min_reader: number;
  replicas: (SchemaReplica & { expires_at: Date })[];
  running?: RunningStep | null;
}

/** What is stored of the schema, with the replicas whose leases hold. */
export interface StoredSchema extends SchemaState {
  replicas: readonly SchemaReplica[];
  running: RunningStep | undefined;
}

const initial: StoredSchema = { version: 0, prepared: 0, minReader: 0, replicas: [], running: undefined };
const id = "schema" as const;

/** The schema of one database, in one document: each change of it is atomic, by the database's clock. */
export class SchemaStore {
  readonly #store: Pick<DocumentStore, "database" | "now">;
  readonly #documents: Collection<SchemaDocument>;

  constructor(store: Pick<DocumentStore, "database" | "now">) {
    this.#store = store;
    this.#documents = store.database.collection(schemaCollection);
  }

  async read(): Promise<StoredSchema> {
    const found = await translated(() => this.#documents.findOne({ _id: id }));
    return found ? this.#stateOf(found) : initial;
  }

  /**
   * Says that a replica runs. Where it starts, or its lease had expired, what a later version has completed is incomplete again:
   * this one writes the earlier form.
   * @throws SchemaTooNewError
   */
  async renew(replica: SchemaReplica, leaseMs: number): Promise<StoredSchema> {
    // Where the filter misses, because the minimum is higher, the insert meets the primary key.
    const filter = { _id: id, min_reader: { $not: { $gt: replica.version } } };
    const options = { upsert: true, returnDocument: "after" } as const;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const change = changeOf(replica, leaseMs);
        const stored = await translated(() => this.#documents.findOneAndUpdate(filter, change, options));
        return stored ? this.#stateOf(stored) : initial;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const { minReader } = await this.read();
        const known = replica.version;
        if (minReader > known)
          throw new SchemaTooNewError({ database: this.#store.database.databaseName, minReader, known });
        // Several replicas have begun at once.
        if (attempt === 10) throw error;
      }
    }
  }

  async release(replicaId: string): Promise<void> {
    const update = { $pull: { replicas: { id: replicaId } } };
    await translated(() => this.#documents.updateOne({ _id: id }, update));
  }

  /** Whether a replica runs that is of a version from before this collection. */
  async hasUnregistered(): Promise<boolean> {
    const leases = this.#store.database.collection<{ _id: string }>("outbox_state");
    const unregistered = { $elemMatch: { expires_at: { $gt: this.#store.now() }, is_registered: { $ne: true } } };
    return (await translated(() => leases.countDocuments({ replicas: unregistered }, { limit: 1 }))) > 0;
  }

  /** Takes the step where no other replica has it, from where it was left. */
  async claim(step: MigrationStep, holder: string, leaseMs: number): Promise<RunningStep | undefined> {
    const { pass } = step;
    const { version } = step.migration;
    const isSame = { $and: [{ $eq: ["$running.version", version] }, { $eq: ["$running.pass", pass] }] };
    const running = {
      ...{ holder, version, pass },
      after: { $cond: [isSame, { $ifNull: ["$running.after", null] }, null] },
      documents: { $cond: [isSame, { $ifNull: ["$running.documents", 0] }, 0] },
      expires_at: { $add: ["$$NOW", leaseMs] },
    };
    const isFree = [
      { running: null },
      { "running.expires_at": { $lte: this.#store.now() } },
      { "running.holder": holder },
    ];
    // From here on, a version that cannot read the result does not start.
    const refuses = pass === "final" && !migrationRules[step.migration.kind].isReadByPrevious;
    const minReader = refuses ? { min_reader: { $max: ["$min_reader", version] } } : {};
    const claimed = await translated(() =>
      this.#documents.findOneAndUpdate(
        { $and: [this.#isNext(step), { $or: isFree }] },
        [{ $set: { running, ...minReader } }],
        { returnDocument: "after" },
      ),
    );
    return claimed?.running ?? undefined;
  }

  /** Keeps where the next batch begins, and the lease. Answers whether the holder still has the step. */
  async advance(
    { holder, version, pass, after, documents }: Omit<RunningStep, "expires_at">,
    leaseMs: number,
  ): Promise<boolean> {
    const expiresAt = { $add: ["$$NOW", leaseMs] };
    const $set = {
      "running.after": { $literal: after },
      "running.documents": documents,
      "running.expires_at": expiresAt,
    };
    const filter = { _id: id, "running.holder": holder, "running.version": version, "running.pass": pass };
    const { matchedCount } = await translated(() => this.#documents.updateOne(filter, [{ $set }]));
    return matchedCount > 0;
  }

  /** Ends a step. Answers whether it counts: not when a replica of an earlier version has started meanwhile. */
  async complete(step: MigrationStep, holder: string): Promise<boolean> {
    const { version } = step.migration;
    const completed =
      step.pass === "final" ? { version, prepared: { $max: ["$prepared", version] } } : { prepared: version };
    const { matchedCount } = await translated(() =>
      this.#documents.updateOne({ $and: [this.#isNext(step), { "running.holder": holder }] }, [
        { $set: { ...completed, running: null } },
      ]),
    );
    return matchedCount > 0;
  }

  /** Lets others go on with the step at once. */
  async abandon(holder: string): Promise<void> {
    const filter = { _id: id, "running.holder": holder };
    await translated(() => this.#documents.updateOne(filter, [{ $set: { "running.expires_at": "$$NOW" } }]));
  }

  #isNext({ migration: { version }, pass }: MigrationStep): Filter<SchemaDocument> {
    if (pass === "first") return { _id: id, prepared: version - 1 };
    const earlier = { version: { $lt: version }, expires_at: { $gt: this.#store.now() } };
    return { _id: id, version: version - 1, replicas: { $not: { $elemMatch: earlier } } };
  }

  #stateOf({ version = 0, prepared = 0, min_reader: minReader, replicas, running }: SchemaDocument): StoredSchema {
    const now = this.#store.now();
    const live = replicas.filter(({ expires_at }) => expires_at > now);
    return { version, prepared, minReader, replicas: live, running: running ?? undefined };
  }
}

/** A replica's lease, in the place of what it had. */
function changeOf({ id: own, ...replica }: SchemaReplica, leaseMs: number): Document[] {
  const { version } = replica;
  const held = { $filter: { input: { $ifNull: ["$replicas", []] }, cond: { $gt: ["$$this.expires_at", "$$NOW"] } } };
  const others = { $filter: { input: held, cond: { $ne: ["$$this.id", own] } } };
  const renewed = [{ id: own, ...replica, expires_at: { $add: ["$$NOW", leaseMs] } }];
  const isHeld = { $in: [own, { $map: { input: held, in: "$$this.id" } }] };
  const unlessHeld = (field: string, otherwise: unknown) => ({ $cond: [isHeld, field, otherwise] });
  const atMost = (field: string) => unlessHeld(field, { $min: [{ $ifNull: [field, 0] }, version] });
  const isOfLater = { $gt: ["$running.version", version] };
  const set = {
    version: atMost("$version"),
    prepared: atMost("$prepared"),
    min_reader: { $ifNull: ["$min_reader", 0] },
    running: unlessHeld("$running", { $cond: [isOfLater, null, { $ifNull: ["$running", null] }] }),
    replicas: { $concatArrays: [others, renewed] },
  };
  return [{ $set: set }];
}
