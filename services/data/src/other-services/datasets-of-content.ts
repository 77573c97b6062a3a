import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";

/** Time that content has for its answer, ms. */
const timeoutMs = 5_000;

/** The dataset does not exist, or not here. */
export class DatasetNotFoundError extends NotFoundError {
  override name = "DatasetNotFoundError";
}

/** The service that keeps datasets cannot be asked. */
export class DatasetsUnavailableError extends Error {
  override name = "DatasetsUnavailableError";
  constructor(why: string, cause?: unknown) {
    super(`The service that keeps datasets ${why}. Nothing was changed.`, { cause });
  }
}

const silent: ReadonlyMap<Code, string> = new Map([
  [Code.Unavailable, "does not answer"],
  [Code.DeadlineExceeded, "does not answer in time"],
]);

/** Asks content, on behalf of the caller, whether there is a dataset. */
export class DatasetsOfContent {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: readonly string[];
  #client: Client<typeof DatasetService> | undefined;

  /** `connect` is called at the first question. `addresses`: none where content is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** @throws DatasetNotFoundError, DatasetsUnavailableError, and what content refuses */
  async assertThere(caller: ForwardedCaller, datasetId: string): Promise<void> {
    if (this.#addresses.length === 0) {
      throw new DatasetsUnavailableError("is not known here: CONTENT_ADDRESS is not set in data");
    }
    this.#client ??= createClient(DatasetService, this.#connect(this.#addresses));
    try {
      await this.#client.getDataset({ datasetId }, { headers: credentialHeaders(caller, "content"), timeoutMs });
    } catch (error) {
      const { code } = ConnectError.from(error);
      if (code === Code.NotFound) throw new DatasetNotFoundError(datasetId);
      const why = silent.get(code);
      throw why === undefined ? error : new DatasetsUnavailableError(why, error);
    }
  }
}
