import type { ConnectError } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { Caller } from "./caller.ts";
import { type CredentialChange, concerns, type ExchangedCaller } from "./credential-change.ts";

/** Longest a refusal is repeated without asking identity again. */
const refusalMs = 5_000;

/** Remembered answers of identity by the hash of the credential, bounded, with a list per organisation for eviction. */
export class ExchangedCallers {
  readonly #now: () => Date;
  readonly #refusals: LRUCache<string, { error: ConnectError; until: number }>;
  readonly #callers: LRUCache<string, ExchangedCaller>;
  readonly #hashesOf = new Map<string, Set<string>>();

  constructor({ max, now }: { max: number; now: () => Date }) {
    this.#now = now;
    this.#refusals = new LRUCache({ max });
    this.#callers = new LRUCache({ max, dispose: ({ caller }, hash) => this.#unlist(caller.organisationId, hash) });
  }

  find(hash: string): Caller | undefined {
    return this.#callers.get(hash)?.caller;
  }

  remember(hash: string, exchanged: ExchangedCaller): void {
    this.#callers.set(hash, exchanged);
    // After set: replacing an entry disposes of the old one, which takes the hash off the list.
    const { organisationId } = exchanged.caller;
    const hashes = this.#hashesOf.get(organisationId) ?? new Set();
    this.#hashesOf.set(organisationId, hashes.add(hash));
  }

  refusal(hash: string): ConnectError | undefined {
    const refused = this.#refusals.get(hash);
    return refused && refused.until > this.#now().getTime() ? refused.error : undefined;
  }

  rememberRefusal(hash: string, error: ConnectError): void {
    this.#callers.delete(hash);
    this.#refusals.set(hash, { error, until: this.#now().getTime() + refusalMs });
  }

  forget(change: CredentialChange): void {
    for (const hash of [...(this.#hashesOf.get(change.organisationId) ?? [])]) {
      const exchanged = this.#callers.peek(hash);
      if (exchanged && concerns(change, exchanged)) this.#callers.delete(hash);
    }
  }

  #unlist(organisationId: string, hash: string): void {
    const hashes = this.#hashesOf.get(organisationId);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.#hashesOf.delete(organisationId);
  }
}
