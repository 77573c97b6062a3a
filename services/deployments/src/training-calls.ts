import { Code, ConnectError, type Transport } from "@connectrpc/connect";

/** Training cannot be asked what only it knows. */
export class TrainingUnavailableError extends Error {
  override name = "TrainingUnavailableError";
  constructor(why: string, cause?: unknown) {
    super(`Training cannot be asked: ${why}. Nothing was changed.`, { cause });
  }
}

/** Training does not answer, not in time, or is of a version that does not know the call. */
const silent: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Unimplemented]);

/** Calls to training. */
export class TrainingCalls {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: readonly string[];
  #transport: Transport | undefined;

  /** `connect` is called at the first question. `addresses`: none where training is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** What `call` answers. @throws TrainingUnavailableError, and what training refuses */
  async ask<T>(call: (transport: Transport) => Promise<T>): Promise<T> {
    if (this.#addresses.length === 0) throw new TrainingUnavailableError("TRAINING_ADDRESS is not set in deployments");
    this.#transport ??= this.#connect(this.#addresses);
    try {
      return await call(this.#transport);
    } catch (error) {
      if (silent.has(ConnectError.from(error).code)) throw new TrainingUnavailableError("it does not answer", error);
      throw error;
    }
  }
}
