import { type ClientSession, type DocumentStore, KeyedMutex, type TenantCollection } from "@aiplatform/document-store";
import { limitOf, type QuotasConfig } from "./limit-of.ts";
import { QuotaExceededError, type QuotaUse } from "./quota-exceeded-error.ts";
import { type QuotaName, quotaTable } from "./quota-table.ts";
import { type QuotasDocument, quotasOf } from "./quotas-document.ts";
import { RememberedLimits } from "./remembered-limits.ts";

/** How much an organisation has, read from the documents themselves. */
export type UsageReader = (organisationId: string, session?: ClientSession) => Promise<number>;

export interface QuotasOptions<N extends QuotaName> {
  readonly config: QuotasConfig;
  readonly usage: Readonly<Record<N, UsageReader>>;
}

interface Asked<N extends QuotaName> {
  readonly name: N;
  readonly amount: number;
}

/** Requests that may be under way without having to take turns. */
const atOnce = 64;

/** The quotas that one service counts, in its database. */
export class Quotas<N extends QuotaName> {
  readonly #organisations: TenantCollection<QuotasDocument>;
  readonly #mutex = new KeyedMutex();
  readonly #remembered = new RememberedLimits();
  readonly #options: QuotasOptions<N>;

  constructor(store: DocumentStore, options: QuotasOptions<N>) {
    this.#organisations = quotasOf(store);
    this.#options = options;
  }

  /**
   * For a transaction that adds something, before it is written. While there is room for as much 64 times over, it only
   * counts. Nearer to the limit, and for sums that are kept, transactions of one organisation take effect one after the
   * other. Requests at the same time thus never have more together than the quota, unless they are more than 64.
   * @throws QuotaExceededError
   */
  async admit(
    organisationId: string,
    asked: Readonly<Partial<Record<N, number>>>,
    session: ClientSession,
  ): Promise<void> {
    const wanted = this.#names().flatMap((name) =>
      (asked[name] ?? 0) > 0 ? [{ name, amount: asked[name] ?? 0 }] : [],
    );
    const scarce = await this.#scarce(wanted, organisationId, session);
    if (scarce.length > 0) await this.#admitInTurn(scarce, organisationId, session);
  }

  /**
   * For a transaction that removes something: gives back what is kept as a sum. What is counted again each time needs nothing.
   */
  async release(
    organisationId: string,
    given: Readonly<Partial<Record<N, number>>>,
    session: ClientSession,
  ): Promise<void> {
    const summed = this.#names().filter((name) => quotaTable[name].isSummed && (given[name] ?? 0) > 0);
    if (summed.length === 0) return;
    const document = await this.#lock(organisationId, session);
    const sums: Record<string, number> = {};
    for (const name of summed) {
      // A sum that was never kept is counted when it is needed, without what is gone then.
      const kept = document?.used?.[name];
      if (kept !== undefined) sums[`used.${name}`] = Math.max(0, kept - (given[name] ?? 0));
    }
    if (Object.keys(sums).length === 0) return;
    await this.#organisations.updateOne(organisationId, { _id: organisationId }, { $set: sums }, { session });
  }

  /** Has limits that were set for the organisation hold at once, also for what is far from them. */
  limitsChanged(organisationId: string): void {
    this.#remembered.changed(organisationId);
  }

  /** What the organisation has of each of the service's quotas. */
  async read(organisationId: string): Promise<QuotaUse[]> {
    const document = await this.#find(organisationId);
    return Promise.all(this.#names().map((name) => this.#use(name, { organisationId, document })));
  }

  #names(): N[] {
    const { usage } = this.#options;
    return Object.keys(usage).filter((name): name is N => Object.hasOwn(usage, name));
  }

  /** Those that have to be admitted in turn. */
  async #scarce(wanted: readonly Asked<N>[], organisationId: string, session: ClientSession): Promise<Asked<N>[]> {
    const counted = wanted.filter(({ name }) => !quotaTable[name].isSummed);
    const scarce = wanted.filter(({ name }) => quotaTable[name].isSummed);
    if (counted.length === 0) return scarce;
    const set = await this.#remembered.find(organisationId, async () => {
      return (await this.#find(organisationId, session))?.limits;
    });
    for (const { name, amount } of counted) {
      const limit = limitOf(name, { organisationId, set }, this.#options.config);
      const used = await this.#options.usage[name](organisationId, session);
      if (used + amount * atOnce > limit) scarce.push({ name, amount });
    }
    return scarce;
  }

  async #admitInTurn(wanted: readonly Asked<N>[], organisationId: string, session: ClientSession): Promise<void> {
    const document = await this.#lock(organisationId, session);
    const sums: Record<string, number> = {};
    for (const { name, amount } of wanted) {
      const use = await this.#use(name, { organisationId, document, session });
      if (use.used + amount > use.limit) throw new QuotaExceededError(use, amount);
      if (quotaTable[name].isSummed) sums[`used.${name}`] = use.used + amount;
    }
    if (Object.keys(sums).length === 0) return;
    await this.#organisations.updateOne(organisationId, { _id: organisationId }, { $set: sums }, { session });
  }

  async #lock(organisationId: string, session: ClientSession): Promise<QuotasDocument | undefined> {
    await this.#mutex.acquire(organisationId, session);
    const options = { session, upsert: true };
    await this.#organisations.updateOne(organisationId, { _id: organisationId }, { $inc: { admissions: 1 } }, options);
    return this.#find(organisationId, session);
  }

  #find(organisationId: string, session?: ClientSession): Promise<QuotasDocument | undefined> {
    return this.#organisations.findOne(organisationId, { _id: organisationId }, { session });
  }

  async #use(
    name: N,
    {
      organisationId,
      document,
      session,
    }: { organisationId: string; document: QuotasDocument | undefined; session?: ClientSession },
  ): Promise<QuotaUse> {
    const limit = limitOf(name, { organisationId, set: document?.limits }, this.#options.config);
    const kept = quotaTable[name].isSummed ? document?.used?.[name] : undefined;
    return { name, limit, used: kept ?? (await this.#options.usage[name](organisationId, session)) };
  }
}
