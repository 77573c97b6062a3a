/** Servers that are remembered at most; beyond, the oldest is evicted. */
const maxServers = 10_000;

/**
 * Since when a hub has been busy with each server. The hub tells when a start began but not when a stop did, so this
 * process remembers when it first heard of it: late perhaps, so that nothing is called overdue too early.
 */
export class PendingTracker {
  readonly #firstSeen = new Map<string, { pending: string; at: Date }>();

  /** Notes what the hub does with a server (undefined: nothing), and answers since when. */
  since(id: string, pending: string | undefined, now: Date): Date {
    const known = this.#firstSeen.get(id);
    if (known && known.pending === pending) return known.at;
    this.#firstSeen.delete(id);
    if (pending === undefined) return now;
    this.#firstSeen.set(id, { pending, at: now });
    const [oldest] = this.#firstSeen.keys();
    if (this.#firstSeen.size > maxServers && oldest !== undefined) this.#firstSeen.delete(oldest);
    return now;
  }
}
