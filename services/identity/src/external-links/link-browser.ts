import { parseCookie, stringifySetCookie } from "cookie";
import type { SecretHasher } from "../credentials/secret-hasher.ts";
import { stateHashOf } from "./link-secrets.ts";

/** As long as an attempt, seconds. */
const maxAgeSeconds = 15 * 60;

/**
 * What the browser of an attempt proves by a cookie: first that it has shown our page about the link, then that its user went on from
 * there. Only this host can set a cookie of the prefix `__Host-`, and no other site's form sends it.
 */
export class LinkBrowser {
  readonly #hasher: SecretHasher;
  readonly #state: string;
  readonly #name: string;

  constructor(hasher: SecretHasher, state: string) {
    this.#hasher = hasher;
    this.#state = state;
    // Attempts that one browser has at once do not meet.
    this.#name = `__Host-link-${stateHashOf(hasher, state).slice(0, 16)}`;
  }

  /** Cookie of a browser that gets the page. `nonce` is random. */
  shown(nonce: string): string {
    return this.#cookie(nonce);
  }

  /** What the page's link carries. */
  confirmation(nonce: string): string {
    return this.#hasher.hash(this.#confirms(nonce));
  }

  /** Whether these cookies and a page's confirmation belong together. */
  hasConfirmed(cookies: string, confirmation: string): boolean {
    const nonce = this.#valueIn(cookies);
    return nonce !== undefined && this.#hasher.matches(this.#confirms(nonce), confirmation);
  }

  /** Cookie of a browser that goes on to the provider. */
  agreed(): string {
    return this.#cookie(this.#hasher.hash(this.#agrees()));
  }

  /** Whether these cookies are of a browser that went on to the provider. */
  hasAgreed(cookies: string): boolean {
    const value = this.#valueIn(cookies);
    return value !== undefined && this.#hasher.matches(this.#agrees(), value);
  }

  #confirms(nonce: string): string {
    return `external link page ${this.#state} ${nonce}`;
  }

  #agrees(): string {
    return `external link agreed ${this.#state}`;
  }

  #valueIn(cookies: string): string | undefined {
    return parseCookie(cookies)[this.#name];
  }

  #cookie(value: string): string {
    const rules = { path: "/", secure: true, httpOnly: true, sameSite: "lax", maxAge: maxAgeSeconds } as const;
    return stringifySetCookie({ name: this.#name, value, ...rules });
  }
}
