/** Lets one waiter go on; without a waiter, the next wait ends at once. */
export class Signal {
  #notified = false;
  #resolve: (() => void) | undefined;

  notify(): void {
    this.#notified = true;
    this.#resolve?.();
  }

  /** Resolves once notified since the last wait; after `withinMs` at the latest. */
  async wait(withinMs?: number): Promise<void> {
    if (!this.#notified) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resolve = resolve;
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs);
      await promise;
      clearTimeout(timer);
    }
    this.#notified = false;
    this.#resolve = undefined;
  }
}
