/** Wakes a waiting caller; a call without a waiter is remembered for the next wait. */
export class Wake {
  #called = false;
  #resolve: (() => void) | undefined;

  call(): void {
    this.#called = true;
    this.#resolve?.();
  }

  /** Resolves once `call` was called since the last wait; after `withinMs` at the latest. */
  async wait(withinMs?: number): Promise<void> {
    if (!this.#called) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resolve = resolve;
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs);
      await promise;
      clearTimeout(timer);
    }
    this.#called = false;
    this.#resolve = undefined;
  }
}
