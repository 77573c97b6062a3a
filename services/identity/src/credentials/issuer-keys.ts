import type { GuardedFetch } from "@aiplatform/guarded-fetch";
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import type { Issuer } from "./issuer.ts";
import { mayAsk } from "./issuer.ts";
import { type ReadKeySet, readKeySet } from "./key-set.ts";
import { createRefreshBudget, type RefreshBudget } from "./refresh-budget.ts";

/** The issuer cannot be asked for its keys, so its tokens cannot be verified. */
export class IssuerUnavailableError extends Error {
  override name = "IssuerUnavailableError";
  readonly issuer: string;
  constructor(issuer: string, options: { cause: unknown }) {
    super("The keys of the token's issuer cannot be fetched", options);
    this.issuer = issuer;
  }
}

/** How long the issuer's answers are waited for, discovery and keys together. */
const timeoutMs = 3_000;
/** Keys older than this are fetched again, beside the requests that use them. */
const refreshAfterMs = 4 * 60_000;
/** Keys older than this wait for the fetch, so that a key that was taken back is refused; not while the issuer is away. */
const freshForMs = 5 * 60_000;
/** Keys older than this are no longer believed, should the issuer stay away that long. */
const believedForMs = 24 * 3_600_000;
/** The issuer is asked at most this often, however many requests need it; the very first time does not count. */
const askEveryMs = 10_000;

export interface IssuerKeysDependencies {
  outbound: GuardedFetch;
  now: () => Date;
  /** The issuer could not be asked. */
  onFailure: (error: unknown) => void;
  /** The issuer publishes keys that are not believed. */
  onIgnored: (ignored: ReadKeySet["ignored"]) => void;
}

interface KeySet {
  find: JWTVerifyGetKey;
  fetchedAt: number;
}

/** The public keys of one issuer: cached, refreshed in the background, fetched again for a key that is not known yet. */
export class IssuerKeys {
  readonly #issuer: Issuer;
  readonly #options: IssuerKeysDependencies;
  readonly #budget: RefreshBudget;
  #keys: KeySet | undefined;
  #fetching: Promise<KeySet> | undefined;
  #isFirst = true;
  #lastFailure: unknown;
  #reportedIgnored = "";

  constructor(issuer: Issuer, options: IssuerKeysDependencies) {
    this.#issuer = issuer;
    this.#options = options;
    this.#budget = createRefreshBudget({ burst: 1, intervalMs: askEveryMs, now: options.now });
  }

  /** The key that a token's header asks for. @throws IssuerUnavailableError, or jose's JWKSNoMatchingKey. */
  find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.#current();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = this.#keys === keys ? await this.#fetchWithinBudget() : this.#keys;
      if (!newer) throw error;
      return await newer.find(header, token);
    }
  };

  async #current(): Promise<KeySet> {
    const age = this.#keys ? this.#age(this.#keys) : Number.POSITIVE_INFINITY;
    if (!this.#keys || age > believedForMs) return (await this.#fetchWithinBudget()) ?? this.#unavailable();
    if (age <= refreshAfterMs) return this.#keys;
    // Failures are reported where they happen; the keys at hand serve meanwhile.
    const isAway = this.#lastFailure !== undefined;
    const newer = this.#fetchWithinBudget().catch(() => undefined);
    return age > freshForMs && !isAway ? ((await newer) ?? this.#keys) : this.#keys;
  }

  #age({ fetchedAt }: KeySet): number {
    return this.#options.now().getTime() - fetchedAt;
  }

  /** One fetch at a time, shared by all who wait for it; undefined when the issuer was asked too recently. */
  async #fetchWithinBudget(): Promise<KeySet | undefined> {
    if (!this.#fetching) {
      if (!this.#isFirst && !this.#budget.take()) return this.#lastFailure ? this.#unavailable() : undefined;
      this.#isFirst = false;
      this.#fetching = this.#fetch().finally(() => {
        this.#fetching = undefined;
      });
    }
    return await this.#fetching;
  }

  async #fetch(): Promise<KeySet> {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const { keys, ignored } = readKeySet(await this.#read(await this.#keysAddress(signal), signal));
      this.#reportIgnored(ignored);
      this.#keys = { find: createLocalJWKSet(keys), fetchedAt: this.#options.now().getTime() };
      this.#lastFailure = undefined;
      return this.#keys;
    } catch (error) {
      this.#lastFailure = error;
      this.#options.onFailure(error);
      throw this.#unavailableError();
    }
  }

  /** Once for each change: a set is fetched again every few minutes. */
  #reportIgnored(ignored: ReadKeySet["ignored"]): void {
    const reported = JSON.stringify(ignored);
    if (ignored.length > 0 && reported !== this.#reportedIgnored) this.#options.onIgnored(ignored);
    this.#reportedIgnored = reported;
  }

  async #keysAddress(signal: AbortSignal): Promise<string> {
    const { issuer, jwksUri, allowHttp } = this.#issuer;
    if (jwksUri) return jwksUri;
    const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const document = await this.#read(address, signal);
    if (typeof document !== "object" || document === null) throw new Error(`${address} holds no object`);
    const found = new Map<string, unknown>(Object.entries(document));
    if (found.get("issuer") !== issuer) throw new Error(`${address} names another issuer`);
    const uri = found.get("jwks_uri");
    if (typeof uri !== "string" || !mayAsk(uri, allowHttp))
      throw new Error(`${address} names an address of keys that is not allowed`);
    return uri;
  }

  async #read(address: string, signal: AbortSignal): Promise<unknown> {
    const response = await this.#options.outbound(address, { signal, headers: { accept: "application/json" } });
    if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
    return await response.json();
  }

  #unavailableError(): IssuerUnavailableError {
    return new IssuerUnavailableError(this.#issuer.issuer, { cause: this.#lastFailure });
  }

  #unavailable(): never {
    throw this.#unavailableError();
  }
}

/** The keys of each issuer, by its `iss`. */
export type KeysByIssuer = ReadonlyMap<string, Pick<IssuerKeys, "find">>;

export interface KeysByIssuerDependencies extends Pick<IssuerKeysDependencies, "outbound" | "now"> {
  /** An issuer did not answer. */
  onFailure: (failure: { issuer: string; error: unknown }) => void;
  /** An issuer publishes keys that are not believed. */
  onIgnored: (keys: { issuer: string; ignored: ReadKeySet["ignored"] }) => void;
}

/** The keys of these issuers, fetched when they are first needed. */
export function createKeysByIssuer(issuers: readonly Issuer[], o: KeysByIssuerDependencies): KeysByIssuer {
  const { outbound, now } = o;
  const keysOf = (each: Issuer) => {
    const { issuer } = each;
    const onFailure = (error: unknown) => o.onFailure({ issuer, error });
    const onIgnored = (ignored: ReadKeySet["ignored"]) => o.onIgnored({ issuer, ignored });
    return new IssuerKeys(each, { outbound, now, onFailure, onIgnored });
  };
  return new Map(issuers.map((each) => [each.issuer, keysOf(each)]));
}
