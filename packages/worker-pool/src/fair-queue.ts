/** First in, first out within an organisation; one after the other between organisations. */
export class FairQueue<T> {
  /** In the order of turns: who was served goes to the end. */
  readonly #waiting = new Map<string, T[]>();
  #length = 0;

  /** Items of all organisations. */
  get length(): number {
    return this.#length;
  }

  lengthOf(organisationId: string): number {
    return this.#waiting.get(organisationId)?.length ?? 0;
  }

  push(organisationId: string, item: T): void {
    const items = this.#waiting.get(organisationId);
    if (items) items.push(item);
    else this.#waiting.set(organisationId, [item]);
    this.#length += 1;
  }

  /** Takes the first item of the organisation whose turn it is, among those that may be served now. */
  shift(mayBeServed: (organisationId: string) => boolean = () => true): T | undefined {
    for (const [organisationId, items] of this.#waiting) {
      if (!mayBeServed(organisationId)) continue;
      const item = items.shift();
      this.#waiting.delete(organisationId);
      if (items.length > 0) this.#waiting.set(organisationId, items);
      this.#length -= 1;
      return item;
    }
    return undefined;
  }
}
