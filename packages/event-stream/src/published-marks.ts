const maxKeys = 256;
const maxDelayMs = 250;

/** What is published and not marked in the database yet: many are marked by one write. */
export class PublishedMarks {
  readonly #keys = new Set<string>();
  readonly #mark: (keys: string[]) => Promise<void>;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(mark: (keys: string[]) => Promise<void>) {
    this.#mark = mark;
  }

  get keys(): ReadonlySet<string> {
    return this.#keys;
  }

  get isFull(): boolean {
    return this.#keys.size >= maxKeys;
  }

  get isDue(): boolean {
    return this.isFull || this.dueInMs <= 0;
  }

  /** Milliseconds until the oldest of them has waited long enough; infinite while there are none. */
  get dueInMs(): number {
    return this.#dueAt - performance.now();
  }

  add(keys: readonly string[]): void {
    if (this.#keys.size === 0) this.#dueAt = performance.now() + maxDelayMs;
    for (const key of keys) this.#keys.add(key);
  }

  /** Rejects when the database is away; they stay to be marked later. */
  async flush(): Promise<void> {
    if (this.#keys.size === 0) return;
    const keys = [...this.#keys];
    // A failure is not repeated at once.
    this.#dueAt = performance.now() + maxDelayMs;
    await this.#mark(keys);
    for (const key of keys) this.#keys.delete(key);
    if (this.#keys.size === 0) this.#dueAt = Number.POSITIVE_INFINITY;
  }
}
