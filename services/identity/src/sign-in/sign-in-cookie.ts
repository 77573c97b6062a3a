import type { SessionCookie } from "@aiplatform/caller-identity";
import { parseCookie, stringifySetCookie } from "cookie";
import { attemptLifetimeMs } from "./sign-in-attempt.ts";

/** Ways to a provider that one browser can have under way, as tabs. Each costs room in every request's headers. */
const slots = ["1", "2", "3", "4"] as const;

/** One of the cookies that a browser has for them. */
export type SignInSlot = (typeof slots)[number];

/** Longer than an attempt, so that a person who comes back late can be told so. */
const maxAgeSeconds = (2 * attemptLifetimeMs) / 1_000;

/**
 * The cookies in which a browser keeps what it has under way. `SameSite=Lax`: the provider, another site, sends the browser back by a
 * link, which carries no strict cookie.
 */
export class SignInCookie {
  readonly #isLoopback: boolean;

  constructor({ isLoopback }: Pick<SessionCookie, "isLoopback">) {
    this.#isLoopback = isLoopback;
  }

  /** What the cookies of a request hold. */
  valuesIn(cookies: string): [SignInSlot, string][] {
    const found = parseCookie(cookies);
    return slots.flatMap((slot): [SignInSlot, string][] => {
      const value = found[this.#name(slot)];
      return value === undefined || value === "" ? [] : [[slot, value]];
    });
  }

  /** `Set-Cookie` that keeps a sealed attempt: in a cookie that is free, or else in place of the first one. */
  keep(cookies: string, sealed: string): string {
    const taken = new Set(this.valuesIn(cookies).map(([slot]) => slot));
    return this.#set(slots.find((slot) => !taken.has(slot)) ?? slots[0], sealed, maxAgeSeconds);
  }

  /** `Set-Cookie` that removes an attempt. */
  remove(slot: SignInSlot): string {
    return this.#set(slot, "", 0);
  }

  #name(slot: SignInSlot): string {
    return `${this.#isLoopback ? "" : "__Host-"}aiplatform-sign-in-${slot}`;
  }

  #set(slot: SignInSlot, value: string, maxAge: number): string {
    const rules = { path: "/", httpOnly: true, sameSite: "lax", secure: !this.#isLoopback } as const;
    return stringifySetCookie({ name: this.#name(slot), value, ...rules, maxAge });
  }
}
