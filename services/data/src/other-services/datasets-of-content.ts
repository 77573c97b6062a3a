import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DatasetMarkService } from "@aiplatform/contract/aiplatform/content/v1/dataset_marks";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { Peer } from "@aiplatform/service-kit/peer";
import type { DescService } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, type Transport } from "@connectrpc/connect";

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

/** A dataset of an organisation. */
interface DatasetRef {
  organisationId: string;
  datasetId: string;
}

/** Asks content what data has to know of datasets. */
export class DatasetsOfContent {
  readonly #content: Peer;

  /** `connect` is called at the first question. `addresses`: none where content is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#content = new Peer({
      ...{ connect, addresses },
      unknown: "is not known here: CONTENT_ADDRESS is not set in data",
      unavailable: (why, cause) => new DatasetsUnavailableError(why, cause),
    });
  }

  /** Whether there is the dataset for the caller. @throws DatasetNotFoundError, DatasetsUnavailableError, and what content refuses */
  async assertThere(caller: ForwardedCaller, datasetId: string): Promise<void> {
    const options = { headers: credentialHeaders(caller, "content"), timeoutMs };
    await this.#ask(datasetId, DatasetService, (client) => client.getDataset({ datasetId }, options));
  }

  /** Names of the columns that are marked sensitive, asked for no caller. @throws DatasetNotFoundError, DatasetsUnavailableError */
  async sensitiveColumns({ organisationId, datasetId }: DatasetRef): Promise<readonly string[]> {
    const asked = { organisationId, datasetId };
    const { columns } = await this.#ask(datasetId, DatasetMarkService, (client) =>
      client.findSensitiveColumns(asked, { timeoutMs }),
    );
    return columns;
  }

  async #ask<S extends DescService, T>(
    datasetId: string,
    service: S,
    call: (client: Client<S>) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#content.ask(service, call);
    } catch (error) {
      throw ConnectError.from(error).code === Code.NotFound ? new DatasetNotFoundError(datasetId) : error;
    }
  }
}
