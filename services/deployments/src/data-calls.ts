import { Code, ConnectError, type Transport } from "@connectrpc/connect";

/** The data service cannot be asked what only it knows. */
export class DatasetsUnavailableError extends Error {
  override name = "DatasetsUnavailableError";
  constructor(why: string, cause?: unknown) {
    super(`The service that keeps the data of datasets cannot be asked: ${why}. Nothing was changed.`, { cause });
  }
}

const silent: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Unimplemented]);

/** Calls to the data service. */
export class DataCalls {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: readonly string[];
  #transport: Transport | undefined;

  /** `connect` is called at the first question. `addresses`: none where the data service is not installed. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** @throws DatasetsUnavailableError where the data service is there and cannot be asked what it refers to */
  assertKnown(): void {
    if (this.#addresses.length === 0) throw new DatasetsUnavailableError("DATA_ADDRESS is not set in deployments");
  }

  /** What `call` answers. @throws DatasetsUnavailableError, and what the data service refuses */
  async ask<T>(call: (transport: Transport) => Promise<T>): Promise<T> {
    this.assertKnown();
    this.#transport ??= this.#connect(this.#addresses);
    try {
      return await call(this.#transport);
    } catch (error) {
      if (silent.has(ConnectError.from(error).code)) throw new DatasetsUnavailableError("it does not answer", error);
      throw error;
    }
  }
}
