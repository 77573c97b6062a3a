import type { ClientSession } from "mongodb";

/**
 * Lets the transactions of this process that want the same thing take turns. The database would let only one of them through
 * at a time as well, but it does so by having the others start again, ever later the more they are. Against other processes
 * it is still the database that decides.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();
  readonly #taken = new WeakMap<ClientSession, Set<string>>();

  /** Resolves when it is the session's turn, which lasts until the session ends; at once when it has the turn already. */
  async acquire(key: string, session: ClientSession): Promise<void> {
    const taken = this.#taken.get(session) ?? new Set();
    if (taken.has(key)) return;
    this.#taken.set(session, taken.add(key));
    const before = this.#last.get(key);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, over);
    session.once("ended", () => {
      resolve();
      if (this.#last.get(key) === over) this.#last.delete(key);
    });
    await before;
  }
}
