import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { DescService } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";

/** What {@link Peer.ask} takes for a service that says nothing, unless others are named. */
export const silentCodes: readonly Code[] = [Code.Unavailable, Code.DeadlineExceeded, Code.Unimplemented];

const sentences: ReadonlyMap<Code, string> = new Map([
  [Code.Unavailable, "does not answer"],
  [Code.DeadlineExceeded, "does not answer in time"],
  [Code.Unimplemented, "is of an earlier version: upgrade it"],
]);

export interface PeerOptions {
  /** Called at the first question. */
  connect: (addresses: readonly string[]) => Transport;
  /** None where the service is not set up. */
  addresses: readonly string[];
  /** Why it cannot be asked where there is no address, such as `is not known here: DATA_ADDRESS is not set in training`. */
  unknown: string;
  /** Codes that say nothing but that the service cannot be asked. Default: {@link silentCodes}. */
  silent?: readonly Code[];
  /** Whether an error with a reason stays as it is, whatever its code: the other service has said it itself. Default false. */
  keepsReasons?: boolean;
  /** The error for callers. `why` continues a sentence about the service, such as `does not answer`. */
  unavailable: (why: string, cause?: unknown) => Error;
}

/** The reason that a service gives for a refusal; empty: none. */
export function reasonOf(failure: unknown): string {
  if (!(failure instanceof ConnectError)) return "";
  return failure.findDetails(ErrorInfoSchema).find(({ reason }) => reason !== "")?.reason ?? "";
}

/** Another service that this one asks. What is not an answer becomes the error of the options; what the service refuses stays as it is. */
export class Peer {
  readonly #options: PeerOptions;
  readonly #silent: ReadonlySet<Code>;
  #transport: Transport | undefined;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#silent = new Set(options.silent ?? silentCodes);
  }

  /** @throws the error of the options where the service is not set up */
  assertKnown(): void {
    const { addresses, unknown, unavailable } = this.#options;
    if (addresses.length === 0) throw unavailable(unknown);
  }

  /** For an RPC that {@link ask} does not fit, such as a stream: its errors go through {@link translated}. @throws the error of the options */
  client<S extends DescService>(service: S): Client<S> {
    return createClient(service, this.#connected());
  }

  /** What `call` answers. @throws the error of the options, and what the service refuses */
  async ask<S extends DescService, T>(service: S, call: (client: Client<S>) => Promise<T>): Promise<T> {
    const client = this.client(service);
    try {
      return await call(client);
    } catch (error) {
      throw this.translated(error);
    }
  }

  /** The error of a call as callers get it. */
  translated(error: unknown): unknown {
    const { code } = ConnectError.from(error);
    const { keepsReasons = false, unavailable } = this.#options;
    if (!this.#silent.has(code) || (keepsReasons && reasonOf(error) !== "")) return error;
    return unavailable(sentences.get(code) ?? "cannot be asked", error);
  }

  #connected(): Transport {
    this.assertKnown();
    this.#transport ??= this.#options.connect(this.#options.addresses);
    return this.#transport;
  }
}
