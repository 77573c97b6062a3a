/** What the test files of one worker share. */
class WorkerResources implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  #size = 0;

  /** How many there are. */
  get size(): number {
    return this.#size;
  }

  /** Keeps it until the worker has run its last file. */
  use<T extends AsyncDisposable>(resource: T): T {
    this.#size += 1;
    return this.#stack.use(resource);
  }

  defer(dispose: () => Promise<void>): void {
    this.#size += 1;
    this.#stack.defer(dispose);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

export const workerResources: WorkerResources = new WorkerResources();
