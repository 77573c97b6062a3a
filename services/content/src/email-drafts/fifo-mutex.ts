/** A lock that one at a time holds, in the order of asking. */
export class FifoMutex {
  #last: Promise<void> = Promise.resolve();

  /** To be disposed of by its owner, with the lock or without. */
  ticket(): Ticket {
    return new Ticket((done) => {
      const before = this.#last;
      this.#last = before.then(() => done);
      return before;
    });
  }
}

class Ticket implements Disposable {
  readonly #queue: (done: Promise<void>) => Promise<void>;
  readonly #done = Promise.withResolvers<void>();

  constructor(queue: (done: Promise<void>) => Promise<void>) {
    this.#queue = queue;
  }

  /** Resolves once this ticket holds the lock, until it is disposed of. */
  acquire(): Promise<void> {
    return this.#queue(this.#done.promise);
  }

  [Symbol.dispose](): void {
    this.#done.resolve();
  }
}
