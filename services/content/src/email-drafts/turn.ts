/** Something that one at a time may do, in the order of asking. */
export class Turn {
  #last: Promise<void> = Promise.resolve();

  /** To be disposed of by who is done, and by who no longer wants their turn. */
  ticket(): Ticket {
    return new Ticket((done) => {
      const before = this.#last;
      this.#last = before.then(() => done);
      return before;
    });
  }
}

/** One wish to have a turn. */
export class Ticket implements Disposable {
  readonly #queue: (done: Promise<void>) => Promise<void>;
  readonly #done = Promise.withResolvers<void>();

  constructor(queue: (done: Promise<void>) => Promise<void>) {
    this.#queue = queue;
  }

  /** Resolves when it is this one's turn, which lasts until the ticket is disposed of. */
  come(): Promise<void> {
    return this.#queue(this.#done.promise);
  }

  [Symbol.dispose](): void {
    this.#done.resolve();
  }
}
