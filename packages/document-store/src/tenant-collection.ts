import type {
  AnyBulkWriteOperation,
  ClientSession,
  Collection,
  Document,
  Filter,
  FindOptions,
  OptionalUnlessRequiredId,
  UpdateFilter,
} from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { TenantMismatchError, translated, upserted } from "./errors.ts";

/** A document that belongs to one organisation. */
export interface TenantDocument {
  _id: string;
  organisation_id: string;
}

/** Every call may take part in a transaction, or be bounded on its own (`timeoutMs`, spent by the server). */
export interface CallOptions {
  session?: ClientSession | undefined;
  timeoutMs?: number | undefined;
}

export interface ReadOptions extends CallOptions {
  sort?: Readonly<Record<string, 1 | -1>>;
  limit?: number;
  skip?: number;
  /** Documents that come at once. Default: 101 at first, and then up to 16 MiB; give it where a reader may stop early. */
  batchSize?: number;
  /** Declared name of the index that answers. Default: the database tries those that could, and remembers the fastest for a while. */
  hint?: string;
  /** Top-level members that are not read. They are missing in what is answered, whatever its type says: for large ones. */
  without?: readonly string[];
  /** Paths that alone are read, beside the id: for what an index answers. The rest is missing, whatever the type says. */
  only?: readonly string[];
  signal?: AbortSignal | undefined;
}

/** How some fields are read. */
export type PickOptions = Pick<ReadOptions, "sort" | "limit" | "hint" | keyof CallOptions>;

/** A filter without the tenant: the collection adds it. */
export type TenantFilter<T> = Omit<Filter<T>, "organisation_id">;

/** One of several questions that go to the database together. */
export interface TenantQuery<T> {
  organisationId: string;
  filter: TenantFilter<T>;
}

/** One of several updates that go to the database together. */
export interface TenantUpdate<T> {
  /** Everything that matches is updated. */
  filter: TenantFilter<T>;
  update: UpdateFilter<T>;
}

/**
 * A collection in which every read and write names the organisation first, so that a query across organisations cannot be
 * written. Its methods throw DuplicateKeyError and StoreUnavailableError.
 */
export class TenantCollection<T extends TenantDocument> {
  readonly #collection: Collection<T>;
  readonly #indexNames: DocumentStore["indexNames"];

  constructor(store: DocumentStore, name: string) {
    this.#collection = store.database.collection<T>(name);
    this.#indexNames = store.indexNames;
  }

  async insert(organisationId: string, document: T, options: CallOptions = {}): Promise<void> {
    assertOwner(organisationId, document);
    const stored = document as OptionalUnlessRequiredId<T>;
    await translated(() => this.#collection.insertOne(stored, driverOptions(options)));
  }

  /** Inserts in this order and stops at the first that cannot be: give a session where it is all or nothing. */
  async insertMany(organisationId: string, documents: readonly T[], options: CallOptions = {}): Promise<void> {
    if (documents.length === 0) return;
    for (const document of documents) assertOwner(organisationId, document);
    const stored = [...documents] as OptionalUnlessRequiredId<T>[];
    await translated(() => this.#collection.insertMany(stored, driverOptions(options)));
  }

  findOne(organisationId: string, filter: TenantFilter<T>, options: ReadOptions = {}): Promise<T | undefined> {
    return this.find(organisationId, filter, { ...options, limit: 1 }).then(([document]) => document);
  }

  /** Everything that matches, in memory: give a `limit` unless the number is bounded by nature. */
  find(organisationId: string, filter: TenantFilter<T>, options: ReadOptions = {}): Promise<T[]> {
    return translated(() => this.#query(scoped(organisationId, filter), options).toArray());
  }

  /** Everything that matches one of the queries, of which each names its organisation, in one go; nothing without a query. */
  async findAny(queries: readonly TenantQuery<T>[], options: ReadOptions = {}): Promise<T[]> {
    if (queries.length === 0) return [];
    const any = { $or: queries.map(({ organisationId, filter }) => scoped(organisationId, filter)) } as Filter<T>;
    return await translated(() => this.#query(any, options).toArray());
  }

  /**
   * Some fields of everything that matches. They come as one list for each field, which takes a fraction of the time of as many
   * documents. Give fields that every document has.
   */
  async pick<K extends keyof T & string>(
    organisationId: string,
    filter: TenantFilter<T>,
    fields: readonly K[],
    { sort, limit, ...options }: PickOptions = {},
  ): Promise<Pick<T, K>[]> {
    const lists = fields.map((field, index) => [`list_${index}`, { $push: { $ifNull: [`$${field}`, null] } }]);
    const stages = [
      ...(sort ? [{ $sort: sort }] : []),
      ...(limit === undefined ? [] : [{ $limit: limit }]),
      { $group: { _id: null, count: { $sum: 1 }, ...Object.fromEntries(lists) } },
    ];
    const [group] = await this.aggregate(organisationId, filter, stages, options);
    const documentAt = (place: number) => fields.map((field, index) => [field, group?.[`list_${index}`][place]]);
    return Array.from({ length: group?.["count"] ?? 0 }, (_, place) => Object.fromEntries(documentAt(place)));
  }

  /** What stages make of everything that matches. They read and write no other collection. */
  async aggregate<R extends Document>(
    organisationId: string,
    filter: TenantFilter<T>,
    stages: readonly Document[],
    { hint, ...call }: Pick<ReadOptions, "hint" | keyof CallOptions> = {},
  ): Promise<R[]> {
    assertOneCollection(stages);
    const all = [{ $match: scoped(organisationId, filter) }, ...stages];
    const options = { ...driverOptions(call), ...this.#hinted(hint) };
    return await translated(() => this.#collection.aggregate<R>(all, options).toArray());
  }

  /** Everything that matches, one after the other. */
  async *each(organisationId: string, filter: TenantFilter<T>, options: ReadOptions = {}): AsyncGenerator<T> {
    const cursor = this.#query(scoped(organisationId, filter), options);
    try {
      for (;;) {
        const document = await translated(() => cursor.next());
        if (document === null) return;
        yield document;
      }
    } finally {
      await cursor.close();
    }
  }

  /** Updates the first match; answers whether there was one. */
  async updateOne(
    organisationId: string,
    filter: TenantFilter<T>,
    update: UpdateFilter<T>,
    options: CallOptions & { upsert?: boolean } = {},
  ): Promise<boolean> {
    assertStays(update);
    const { upsert, ...call } = options;
    const settings = { ...driverOptions(call), ...(upsert === undefined ? {} : { upsert }) };
    const write = () => this.#collection.updateOne(scoped(organisationId, filter), update, settings);
    const result = await (upsert && !call.session ? upserted(write) : translated(write));
    return result.matchedCount + result.upsertedCount > 0;
  }

  /** Makes many updates in one go, one after the other: give a session where it is all or nothing. */
  async updateEach(
    organisationId: string,
    updates: readonly TenantUpdate<T>[],
    options: CallOptions = {},
  ): Promise<void> {
    if (updates.length === 0) return;
    const operations = updates.map(({ filter, update }): AnyBulkWriteOperation<T> => {
      assertStays(update);
      return { updateMany: { filter: scoped(organisationId, filter), update } };
    });
    await translated(() => this.#collection.bulkWrite(operations, driverOptions(options)));
  }

  /** Compare-and-set: puts `document` in place of the one with its id if that still satisfies `condition`; answers whether it did. */
  async replaceIf(
    organisationId: string,
    document: T,
    condition: TenantFilter<T>,
    options: CallOptions = {},
  ): Promise<boolean> {
    assertOwner(organisationId, document);
    const { _id, ...fields } = document;
    const filter = { ...scoped(organisationId, condition), _id } as Filter<T>;
    const replacement = fields as Parameters<Collection<T>["replaceOne"]>[1];
    const result = await translated(() => this.#collection.replaceOne(filter, replacement, driverOptions(options)));
    return result.matchedCount > 0;
  }

  /** Answers whether something was deleted. */
  async deleteOne(organisationId: string, filter: TenantFilter<T>, options: CallOptions = {}): Promise<boolean> {
    const result = await translated(() =>
      this.#collection.deleteOne(scoped(organisationId, filter), driverOptions(options)),
    );
    return result.deletedCount > 0;
  }

  /** Answers how many were deleted. */
  async deleteMany(organisationId: string, filter: TenantFilter<T>, options: CallOptions = {}): Promise<number> {
    const result = await translated(() =>
      this.#collection.deleteMany(scoped(organisationId, filter), driverOptions(options)),
    );
    return result.deletedCount;
  }

  /** How many match, or the first `limit` of them. */
  count(
    organisationId: string,
    filter: TenantFilter<T>,
    { limit, hint, ...call }: Pick<ReadOptions, "limit" | "hint" | keyof CallOptions> = {},
  ): Promise<number> {
    const options = {
      ...driverOptions(call),
      ...(limit === undefined ? {} : { limit }),
      ...this.#hinted(hint),
    };
    return translated(() => this.#collection.countDocuments(scoped(organisationId, filter), options));
  }

  /** The sum of an expression, such as `{ $multiply: ["$width", "$height"] }`, over everything that matches; 0 when nothing does. */
  async sum(
    organisationId: string,
    filter: TenantFilter<T>,
    of: string | Document,
    options: CallOptions = {},
  ): Promise<number> {
    const stages = [{ $group: { _id: null, sum: { $sum: of } } }];
    const [group] = await this.aggregate<{ sum: number }>(organisationId, filter, stages, options);
    return group?.sum ?? 0;
  }

  #query(filter: Filter<T>, { hint, ...options }: ReadOptions) {
    return this.#collection.find<T>(filter, { ...readerOptions(options), ...this.#hinted(hint) });
  }

  #hinted(hint: string | undefined): { hint?: string } {
    return hint === undefined ? {} : { hint: this.#indexNames.of(this.#collection.collectionName, hint) };
  }
}

/** The tenant comes last so that nothing in a filter can replace it. */
function scoped<T>(organisationId: string, filter: TenantFilter<T>): Filter<T> {
  assertOrganisation(organisationId);
  return { ...filter, organisation_id: organisationId } as Filter<T>;
}

function assertOwner(organisationId: string, document: TenantDocument): void {
  assertOrganisation(organisationId);
  if (document.organisation_id !== organisationId) {
    throw new TenantMismatchError("the document belongs to another organisation");
  }
}

function assertStays<T>(update: UpdateFilter<T>): void {
  for (const fields of Object.values(update)) {
    if (Object.hasOwn(Object(fields), "organisation_id"))
      throw new TenantMismatchError("an update cannot move a document");
  }
}

/** Stages that need no other documents than those of the collection. */
const ownStages: ReadonlySet<string> = new Set(["$match", "$sort", "$limit", "$project", "$group"]);

function assertOneCollection(stages: readonly Document[]): void {
  const other = stages.flatMap(Object.keys).find((name) => !ownStages.has(name));
  if (other !== undefined) throw new TenantMismatchError(`${other} may read or write what belongs to others`);
}

function assertOrganisation(organisationId: string): void {
  // Types end at the process's edge: an object in this place would be a query operator.
  if (typeof organisationId !== "string" || organisationId === "") {
    throw new TenantMismatchError("a query needs an organisation");
  }
}

function driverOptions({ session, timeoutMs }: CallOptions) {
  return { ...(session ? { session } : {}), ...(timeoutMs === undefined ? {} : { maxTimeMS: timeoutMs }) };
}

function readerOptions({ sort, limit, skip, batchSize, without, only, signal, ...call }: Omit<ReadOptions, "hint">) {
  const options: FindOptions & { signal?: AbortSignal } = driverOptions(call);
  if (sort) options.sort = { ...sort };
  if (limit !== undefined) options.limit = limit;
  if (skip !== undefined) options.skip = skip;
  if (batchSize !== undefined) options.batchSize = batchSize;
  if (without) options.projection = Object.fromEntries(without.map((name) => [name, 0]));
  if (only) options.projection = Object.fromEntries(only.map((path) => [path, 1]));
  if (signal) options.signal = signal;
  return options;
}
