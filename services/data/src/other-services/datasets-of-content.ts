import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { Peer } from "@aiplatform/service-kit/peer";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";

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

/** Asks content, on behalf of the caller, whether there is a dataset. */
export class DatasetsOfContent {
  readonly #content: Peer;

  /** `connect` is called at the first question. `addresses`: none where content is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#content = new Peer({
      ...{ connect, addresses },
      unknown: "is not known here: CONTENT_ADDRESS is not set in data",
      silent: [Code.Unavailable, Code.DeadlineExceeded],
      unavailable: (why, cause) => new DatasetsUnavailableError(why, cause),
    });
  }

  /** @throws DatasetNotFoundError, DatasetsUnavailableError, and what content refuses */
  async assertThere(caller: ForwardedCaller, datasetId: string): Promise<void> {
    const options = { headers: credentialHeaders(caller, "content"), timeoutMs };
    try {
      await this.#content.ask((transport) =>
        createClient(DatasetService, transport).getDataset({ datasetId }, options),
      );
    } catch (error) {
      throw ConnectError.from(error).code === Code.NotFound ? new DatasetNotFoundError(datasetId) : error;
    }
  }
}
