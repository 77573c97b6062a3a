import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { type FindMediaContentResponse, MediaService } from "@aiplatform/contract/aiplatform/training/v1/media";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";

/** Time that training has for its answer, ms. */
const timeoutMs = 3_000;

/** A medium, and the run and pipeline that it is said to be of. */
export interface MediumAddress {
  pipelineId: string;
  runId: string;
  mediaId: string;
}

/** Nothing can be said about what trainers have shown. */
export class TrainingUnavailableError extends Error {
  override name = "TrainingUnavailableError";
  constructor(cause?: unknown) {
    super("The service that knows the media of runs does not answer", { cause });
  }
}

/** Training does not answer, not in time, or is of an earlier version. */
const silent: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Unimplemented]);

/** Asks training, on behalf of the caller, what the media of runs are. */
export class RunMedia {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: readonly string[];
  #training: Client<typeof MediaService> | undefined;

  /** `connect` is called at the first question. Without addresses, training does not answer. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** @throws TrainingUnavailableError and what training refuses */
  async find(caller: ForwardedCaller, address: MediumAddress): Promise<FindMediaContentResponse> {
    if (this.#addresses.length === 0) throw new TrainingUnavailableError();
    this.#training ??= createClient(MediaService, this.#connect(this.#addresses));
    try {
      const options = { headers: credentialHeaders(caller, "training"), timeoutMs };
      return await this.#training.findMediaContent(address, options);
    } catch (error) {
      if (silent.has(ConnectError.from(error).code)) throw new TrainingUnavailableError(error);
      throw error;
    }
  }
}
