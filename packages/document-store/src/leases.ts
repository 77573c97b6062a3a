import { randomUUID } from "node:crypto";
import type { Collection, Filter, MatchKeysAndValues, UpdateFilter } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { translated } from "./errors.ts";
import type { TenantDocument, TenantFilter } from "./tenant-collection.ts";

/** Where the documents of a collection keep their lease. Collections differ in these names, and in nothing else. */
export interface LeaseFields {
  /** Path of the holder's id; null or absent while the lease is free. */
  readonly holder: string;
  /** Path of the time from which on others may claim the document: the end of a lease, or when free work is due. */
  readonly expiresAt: string;
  /** Path of the number of attempts that failed in a row; absent: none. Without this path no failure is stored. */
  readonly failures?: string;
  /** Path of the member that has the lease and nothing else. It is written as a whole, and null while the lease is free. */
  readonly member?: string;
}

export interface LeasesOptions<D extends TenantDocument, T> {
  readonly collection: string;
  readonly fields: LeaseFields;
  /** Which documents there is work for, without the path of the expiry; no others are claimed. An index on it, organisation and expiry makes claims cheap. */
  readonly wanted: Filter<D>;
  /** What the holder of a document works with. */
  readonly read: (document: D) => T;
  /** Whether an index on the path of the expiry, of what is wanted, makes it cheap to ask which is due next. Default false. */
  readonly hasTimeIndex?: boolean;
}

/** A holder, and for how long it has a lease without a renewal, ms. */
export interface LeaseTerm {
  readonly holder: string;
  readonly leaseMs: number;
}

/** A lease that a holder has, or had. */
export interface HeldLease {
  readonly organisationId: string;
  readonly id: string;
  readonly holder: string;
  /** Attempts that failed in a row before this one. */
  readonly failures: number;
}

/** A lease, and the work that it is on. */
export interface Claim<T> extends HeldLease {
  readonly work: T;
}

export interface ClaimOptions extends LeaseTerm {
  /** Organisations whose work is not claimed now. */
  readonly exceptOrganisations?: readonly string[];
  /** Documents that are not claimed now: those that the caller works on, although it is late with a renewal. */
  readonly exceptIds?: readonly string[];
}

/** When a released document is due, and what is known of attempts at it. */
export interface LeaseRelease {
  /** Milliseconds before another may claim it. Default 0. */
  readonly afterMs?: number;
  /** Attempts that failed in a row. Absent: as stored. */
  readonly failures?: number;
}

/** What a renewal found: the lease is still its holder's, another has it, or it is free because the work has ended. */
export type LeaseState = "held" | "taken" | "ended";

/** Another holds the lease now, or the work has ended: what this holder writes has no effect. */
export class LeaseLostError extends Error {
  override name = "LeaseLostError";
  constructor() {
    super("the lease was lost: another process has taken the work over, or the work has ended");
  }
}

/**
 * Leases on the documents of a collection, of all organisations. Each change of a lease is a compare-and-set on its holder, by
 * the database's clock. A holder repeats {@link Leases.fence} in every write of its work, so that it writes nothing once the
 * lease was taken. A holder's id is used for one claim, or by a process that never works on a document twice at a time.
 */
export class Leases<D extends TenantDocument, T> {
  readonly #documents: Collection<D>;
  readonly #now: () => Date;
  readonly #options: LeasesOptions<D, T>;
  /**
   * The organisation that was served last; empty while nothing is due. The turns begin anywhere, so that replicas do not ask for the
   * same documents.
   */
  #served: string = randomUUID();

  /** @throws TypeError when `wanted` names the path of the expiry, which a claim asks for itself */
  constructor(store: DocumentStore, options: LeasesOptions<D, T>) {
    if (Object.hasOwn(options.wanted, options.fields.expiresAt))
      throw new TypeError(`wanted names ${options.fields.expiresAt}, which a claim would overwrite`);
    this.#documents = store.database.collection<D>(options.collection);
    this.#now = store.now;
    this.#options = options;
  }

  /**
   * Claims the document that is due for the longest time, of the next organisation that has one: organisations take turns,
   * however many documents of one are due. Undefined: nothing is due.
   */
  async claim(options: ClaimOptions): Promise<Claim<T> | undefined> {
    const { exceptOrganisations = [], exceptIds = [] } = options;
    const wasIdle = this.#served === "";
    const claim =
      (await this.#claimAfter(this.#served, options)) ?? (wasIdle ? undefined : await this.#claimAfter("", options));
    if (claim) this.#served = wasIdle ? randomUUID() : claim.organisationId;
    // Nothing is due anywhere: the next look begins at the start and is one query, and no organisation loses its turn.
    else if (exceptOrganisations.length === 0 && exceptIds.length === 0) this.#served = "";
    return claim;
  }

  /** Whether {@link dueInMs} tells when something will be due, and not only whether something is. */
  get knowTimes(): boolean {
    return this.#options.hasTimeIndex ?? false;
  }

  /**
   * Milliseconds until a document may be claimed: 0 where one is due. Undefined: none is, and it is not known when one will be. One query,
   * which costs a fraction of a claim.
   */
  async dueInMs({
    exceptOrganisations = [],
  }: Pick<ClaimOptions, "exceptOrganisations"> = {}): Promise<number | undefined> {
    const { wanted, fields } = this.#options;
    const organisation_id = { $gt: "", ...noneOf(exceptOrganisations) };
    const projection = { [fields.expiresAt]: 1 };
    if (!this.knowTimes) {
      const filter = this.#filter({ ...wanted, organisation_id, [fields.expiresAt]: this.#past() });
      const options = { projection, sort: this.#inTurn };
      return (await translated(() => this.#documents.findOne(filter, options))) ? 0 : undefined;
    }
    const filter = this.#filter({ ...wanted, organisation_id });
    const options = { projection, sort: { [fields.expiresAt]: 1 } as const };
    const first = await translated(() => this.#documents.findOne(filter, options));
    if (!first) return undefined;
    const dueAt = valueAt(first, fields.expiresAt);
    return dueAt instanceof Date ? Math.max(0, dueAt.getTime() - this.#now().getTime()) : 0;
  }

  /** Takes the lease of a document where it is free, expired or the holder's already, whether or not there is work. */
  acquire({ organisationId, id }: Pick<HeldLease, "organisationId" | "id">, term: LeaseTerm) {
    const { holder, expiresAt } = this.#options.fields;
    const isFree = { $or: [{ [expiresAt]: this.#past() }, { [holder]: term.holder }] };
    return this.#take({ _id: id, organisation_id: organisationId, ...isFree }, term);
  }

  /** Extends the lease where the holder still has it. */
  async renew(held: HeldLease, leaseMs: number): Promise<LeaseState> {
    const isHeld = await this.#update(held, { [this.#options.fields.expiresAt]: this.#in(leaseMs) });
    if (isHeld) return "held";
    const filter = this.#filter({ _id: held.id, organisation_id: held.organisationId });
    const found = await translated(() => this.#documents.findOne<D>(filter));
    return found && valueAt(found, this.#options.fields.holder) ? "taken" : "ended";
  }

  async renewAll({ holder, leaseMs }: LeaseTerm): Promise<void> {
    const $set = { [this.#options.fields.expiresAt]: this.#in(leaseMs) };
    await translated(() => this.#documents.updateMany(this.#filter(this.fence(holder)), this.#set($set)));
  }

  /** What a holder has leases on. */
  async held(holder: string): Promise<T[]> {
    const found = await translated(() => this.#documents.find<D>(this.#filter(this.fence(holder))).toArray());
    return found.map(this.#options.read);
  }

  /** Lets others claim the document, at once or later. Answers whether the holder had the lease. */
  release(held: HeldLease, { afterMs = 0, failures }: LeaseRelease = {}): Promise<boolean> {
    const path = this.#options.fields.failures;
    const counted = path === undefined || failures === undefined ? {} : { [path]: failures };
    return this.#update(held, { ...this.#freed(this.#in(afterMs)), ...counted });
  }

  async releaseAll(holder: string): Promise<void> {
    const freed = this.#set(this.#freed(this.#now()));
    await translated(() => this.#documents.updateMany(this.#filter(this.fence(holder)), freed));
  }

  /** The condition under which a holder writes. */
  fence(holder: string): TenantFilter<D> {
    return this.#filter({ [this.#options.fields.holder]: holder });
  }

  /** `$set` of a write that begins the work with its lease. */
  taken({ holder, leaseMs }: LeaseTerm): MatchKeysAndValues<D> {
    return this.#values(this.#lease(holder, this.#in(leaseMs)));
  }

  /** `$set` of a write that releases the lease after an attempt that did not fail, until the work is due again. */
  freed(dueAt: Date): MatchKeysAndValues<D> {
    const { failures } = this.#options.fields;
    return this.#values({ ...this.#freed(dueAt), ...(failures === undefined ? {} : { [failures]: 0 }) });
  }

  async #claimAfter(
    organisationId: string,
    { exceptOrganisations, exceptIds, ...term }: ClaimOptions,
  ): Promise<Claim<T> | undefined> {
    const { wanted, fields } = this.#options;
    const turn = { organisation_id: { $gt: organisationId, ...noneOf(exceptOrganisations) }, _id: noneOf(exceptIds) };
    return this.#take({ ...wanted, ...turn, [fields.expiresAt]: this.#past() }, term);
  }

  async #take(filter: Record<string, unknown>, { holder, leaseMs }: LeaseTerm): Promise<Claim<T> | undefined> {
    const { fields, read } = this.#options;
    const taken = this.#set(this.#lease(holder, this.#in(leaseMs)));
    const options = { sort: this.#inTurn, returnDocument: "after" } as const;
    const found = await translated(() => this.#documents.findOneAndUpdate(this.#filter(filter), taken, options));
    if (!found) return undefined;
    const document = found as D;
    const failures = fields.failures === undefined ? 0 : Number(valueAt(document, fields.failures) ?? 0);
    return { organisationId: document.organisation_id, id: document._id, holder, failures, work: read(document) };
  }

  get #inTurn() {
    return { organisation_id: 1, [this.#options.fields.expiresAt]: 1 } as const;
  }

  async #update({ organisationId, id, holder }: HeldLease, values: Record<string, unknown>): Promise<boolean> {
    const filter = this.#filter({ ...this.fence(holder), _id: id, organisation_id: organisationId });
    const result = await translated(() => this.#documents.updateOne(filter, this.#set(values)));
    return result.matchedCount > 0;
  }

  #lease(holder: string, expiresAt: Date): Record<string, unknown> {
    const { fields } = this.#options;
    if (fields.member === undefined) return { [fields.holder]: holder, [fields.expiresAt]: expiresAt };
    return { [fields.member]: { [lastOf(fields.holder)]: holder, [lastOf(fields.expiresAt)]: expiresAt } };
  }

  #freed(dueAt: Date): Record<string, unknown> {
    const { holder, expiresAt, member } = this.#options.fields;
    return member === undefined ? { [holder]: null, [expiresAt]: dueAt } : { [member]: null };
  }

  /** Also matches a document that never had a lease. */
  #past() {
    return { $not: { $gt: this.#now() } };
  }

  #in(ms: number): Date {
    return new Date(this.#now().getTime() + ms);
  }

  // The driver's types know no paths that are values.
  #filter(fields: object): Filter<D> {
    return fields as Filter<D>;
  }

  #values(fields: object): MatchKeysAndValues<D> {
    return fields as MatchKeysAndValues<D>;
  }

  #set(fields: object): UpdateFilter<D> {
    return { $set: this.#values(fields) };
  }
}

function noneOf(values: readonly string[] = []) {
  return { $nin: [...values] };
}

function valueAt(document: object, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => Object(value)[name], document);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
