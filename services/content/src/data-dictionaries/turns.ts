/** Lets one after the other do something with the same thing; things of other names are not waited for. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when those that asked earlier are done, however that went. */
  async take<R>(name: string, work: () => Promise<R>): Promise<R> {
    const earlier = this.#last.get(name) ?? Promise.resolve();
    const mine = earlier.then(work, work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
