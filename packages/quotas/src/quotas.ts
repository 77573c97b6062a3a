import {
  type ClientSession,
  type DocumentStore,
  KeyedMutex,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import { QuotaExceededError, type QuotaUse } from "./quota-exceeded-error.ts";
import { type QuotaLimits, type QuotaName, quotaTable } from "./quota-table.ts";

/** What a service knows of an organisation's quotas: its id is the organisation's. */
interface QuotasDocument extends TenantDocument {
  /** How often something was admitted in turn: the transactions that are take effect one after the other. */
  admissions: number;
  /** Sums of the cumulative quotas, from the first that was admitted. */
  used?: Partial<Record<QuotaName, number>>;
}

/** How much an organisation has, read from the documents themselves. */
export type UsageReader = (organisationId: string, session?: ClientSession) => Promise<number>;

/** The limits that the operator has set, in place of those of the table. */
export interface QuotasConfig {
  /** For all organisations. */
  readonly QUOTAS?: QuotaLimits | undefined;
  /** For single ones, by id. */
  readonly ORGANISATION_QUOTAS?: ReadonlyMap<string, QuotaLimits> | undefined;
}

export interface QuotasOptions<N extends QuotaName> {
  readonly config: QuotasConfig;
  readonly usage: Readonly<Record<N, UsageReader>>;
}

interface Asked<N extends QuotaName> {
  readonly name: N;
  readonly amount: number;
}

const collection = "quotas";
/** Requests that may be under way without having to take turns. */
const atOnce = 64;

/** The quotas that one service counts, in its database. */
export class Quotas<N extends QuotaName> {
  readonly #organisations: TenantCollection<QuotasDocument>;
  readonly #mutex = new KeyedMutex();
  readonly #options: QuotasOptions<N>;

  constructor(store: DocumentStore, options: QuotasOptions<N>) {
    this.#organisations = new TenantCollection(store, collection);
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
    const scarce: Asked<N>[] = [];
    for (const name of this.#names()) {
      const amount = asked[name] ?? 0;
      if (amount > 0 && !(await this.#hasPlenty({ name, amount }, organisationId, session)))
        scarce.push({ name, amount });
    }
    if (scarce.length > 0) await this.#admitInTurn(scarce, organisationId, session);
  }

  /** What the organisation has of each of the service's quotas. */
  async read(organisationId: string): Promise<QuotaUse[]> {
    const document = await this.#organisations.findOne(organisationId, { _id: organisationId });
    return Promise.all(this.#names().map((name) => this.#use(name, { organisationId, document })));
  }

  #names(): N[] {
    const { usage } = this.#options;
    return Object.keys(usage).filter((name): name is N => Object.hasOwn(usage, name));
  }

  async #hasPlenty({ name, amount }: Asked<N>, organisationId: string, session: ClientSession): Promise<boolean> {
    if (quotaTable[name].isCumulative) return false;
    const { used, limit } = await this.#use(name, { organisationId, document: undefined, session });
    return used + amount * atOnce <= limit;
  }

  async #admitInTurn(wanted: readonly Asked<N>[], organisationId: string, session: ClientSession): Promise<void> {
    const document = await this.#lock(organisationId, session);
    const sums: Record<string, number> = {};
    for (const { name, amount } of wanted) {
      const use = await this.#use(name, { organisationId, document, session });
      if (use.used + amount > use.limit) throw new QuotaExceededError(use, amount);
      if (quotaTable[name].isCumulative) sums[`used.${name}`] = use.used + amount;
    }
    if (Object.keys(sums).length === 0) return;
    await this.#organisations.updateOne(organisationId, { _id: organisationId }, { $set: sums }, { session });
  }

  async #lock(organisationId: string, session: ClientSession): Promise<QuotasDocument | undefined> {
    await this.#mutex.acquire(organisationId, session);
    const options = { session, upsert: true };
    await this.#organisations.updateOne(organisationId, { _id: organisationId }, { $inc: { admissions: 1 } }, options);
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
    const { QUOTAS: ofAll, ORGANISATION_QUOTAS: ofSingle } = this.#options.config;
    const limit = ofSingle?.get(organisationId)?.[name] ?? ofAll?.[name] ?? quotaTable[name].limit;
    const kept = quotaTable[name].isCumulative ? document?.used?.[name] : undefined;
    return { name, limit, used: kept ?? (await this.#options.usage[name](organisationId, session)) };
  }
}
