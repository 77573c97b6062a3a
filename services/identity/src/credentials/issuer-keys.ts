import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from "jose";
import type { Issuer } from "./issuer.ts";
import { mayAsk } from "./issuer.ts";
import { createRefreshBudget, type RefreshBudget } from "./refresh-budget.ts";

/** The issuer cannot be asked for its keys, so nobody can tell whether the token is good. */
export class IssuerUnavailableError extends Error {
  override name = "IssuerUnavailableError";
  readonly issuer: string;
  constructor(issuer: string, options: { cause: unknown }) {
    super("The token's issuer cannot be asked for its keys", options);
    this.issuer = issuer;
  }
}

/** How long an answer of the issuer is waited for. */
const timeoutMs = 2_000;
/** Keys older than this are fetched again, beside the requests that use them. */
const refreshAfterMs = 5 * 60_000;
/** Keys older than this are not believed any more, should the issuer stay away that long. */
const believedForMs = 24 * 3_600_000;
/** An unknown key makes us ask at most this often; two at once, so that a rotation just after a fetch is seen too. */
const askEveryMs = 10_000;

interface KeySet {
  find: JWTVerifyGetKey;
  fetchedAt: number;
}

/** The public keys of one issuer: cached, refreshed in the background, fetched anew for a key that is not known yet. */
export class IssuerKeys {
  readonly #issuer: Issuer;
  readonly #now: () => Date;
  readonly #onFailure: (error: unknown) => void;
  readonly #budget: RefreshBudget;
  #keys: KeySet | undefined;
  #fetching: Promise<KeySet> | undefined;
  #lastFailure: unknown;

  constructor(issuer: Issuer, o: { now: () => Date; onFailure: (error: unknown) => void }) {
    this.#issuer = issuer;
    this.#now = o.now;
    this.#onFailure = o.onFailure;
    this.#budget = createRefreshBudget({ burst: 2, intervalMs: askEveryMs, now: o.now });
  }

  /** The key that a token's header asks for. Throws IssuerUnavailableError, or jose's JWKSNoMatchingKey. */
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
    const age = this.#keys ? this.#now().getTime() - this.#keys.fetchedAt : Number.POSITIVE_INFINITY;
    if (!this.#keys || age > believedForMs) return (await this.#fetchWithinBudget()) ?? this.#unavailable();
    // Failures are reported where they happen; the keys at hand serve meanwhile.
    if (age > refreshAfterMs) this.#fetchWithinBudget().catch(() => undefined);
    return this.#keys;
  }

  /** One fetch at a time, shared by all who wait for it; undefined when the issuer was asked too recently. */
  async #fetchWithinBudget(): Promise<KeySet | undefined> {
    if (!this.#fetching) {
      if (!this.#budget.take()) return this.#lastFailure ? this.#unavailable() : undefined;
      this.#fetching = this.#fetch().finally(() => {
        this.#fetching = undefined;
      });
    }
    return await this.#fetching;
  }

  async #fetch(): Promise<KeySet> {
    try {
      const remote = createRemoteJWKSet(new URL(await this.#keysAddress()), {
        timeoutDuration: timeoutMs,
        // When to ask again is decided here, by the age of the set and the budget.
        cacheMaxAge: Number.POSITIVE_INFINITY,
        cooldownDuration: Number.POSITIVE_INFINITY,
      });
      await remote.reload();
      this.#keys = { find: remote, fetchedAt: this.#now().getTime() };
      this.#lastFailure = undefined;
      return this.#keys;
    } catch (error) {
      this.#lastFailure = error;
      this.#onFailure(error);
      throw this.#unavailableError();
    }
  }

  async #keysAddress(): Promise<string> {
    const { issuer, jwksUri, allowHttp } = this.#issuer;
    if (jwksUri) return jwksUri;
    const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const document: unknown = await response.json();
    if (typeof document !== "object" || document === null) throw new Error(`${address} holds no object`);
    const found = new Map<string, unknown>(Object.entries(document));
    if (found.get("issuer") !== issuer) throw new Error(`${address} speaks for another issuer`);
    const uri = found.get("jwks_uri");
    if (typeof uri !== "string" || !mayAsk(uri, allowHttp))
      throw new Error(`${address} names keys that may not be asked`);
    return uri;
  }

  #unavailableError(): IssuerUnavailableError {
    return new IssuerUnavailableError(this.#issuer.issuer, { cause: this.#lastFailure });
  }

  #unavailable(): never {
    throw this.#unavailableError();
  }
}
