import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DatasetVersionService, DatasetVersionState } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import type { RunDatasetReference } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type FieldViolation, InvalidFieldsError } from "@aiplatform/service-host";
import { Peer } from "@aiplatform/service-kit/peer";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { RunDataset } from "./run.ts";

/** Time that the data service has for its answer, ms. */
const timeoutMs = 5_000;

/** The service that keeps versions of datasets cannot be asked. */
export class DatasetsUnavailableError extends Error {
  override name = "DatasetsUnavailableError";
  constructor(why: string, cause?: unknown) {
    super(`The service that keeps the data of datasets ${why}. No run was created.`, { cause });
  }
}

/** Looks up versions of datasets at the data service, on behalf of the caller. */
export class DatasetVersions {
  readonly #data: Peer;

  /** `connect` is called at the first question. `addresses`: none where the data service is not installed. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#data = new Peer({
      ...{ connect, addresses },
      unknown: "is not known here: DATA_ADDRESS is not set in training",
      silent: [Code.Unavailable, Code.DeadlineExceeded],
      unavailable: (why, cause) => new DatasetsUnavailableError(why, cause),
    });
  }

  /**
   * The versions, in the order of the references. @throws InvalidFieldsError for each that does not exist or is not ready;
   * DatasetsUnavailableError, and what the data service refuses
   */
  async lookUp(caller: ForwardedCaller, references: readonly RunDatasetReference[]): Promise<RunDataset[]> {
    if (references.length === 0) return [];
    const found = await Promise.all(references.map((reference, index) => this.#find(caller, reference, index)));
    const violations = found.flatMap((each) => ("field" in each ? [each] : []));
    if (violations.length > 0) throw new InvalidFieldsError(violations);
    return found.flatMap((each) => ("field" in each ? [] : [each]));
  }

  async #find(
    caller: ForwardedCaller,
    { name, datasetId, versionId }: RunDatasetReference,
    index: number,
  ): Promise<RunDataset | FieldViolation> {
    const field = `datasets[${index}].version_id`;
    const options = { headers: credentialHeaders(caller, "data"), timeoutMs };
    try {
      const { version } = await this.#data.ask(DatasetVersionService, (client) =>
        client.getDatasetVersion({ datasetId, versionId }, options),
      );
      if (version?.state !== DatasetVersionState.READY || version.contentSha256 === undefined) {
        return { field, reason: "DATASET_VERSION_NOT_READY", description: "is not ready; name a version that is" };
      }
      const { number, contentSha256, rowCount, sizeBytes } = version;
      return {
        name,
        datasetId: version.datasetId,
        versionId: version.id,
        number,
        contentSha256,
        rowCount: Number(rowCount),
        sizeBytes: Number(sizeBytes),
      };
    } catch (error) {
      if (ConnectError.from(error).code !== Code.NotFound) throw error;
      return { field, reason: "DATASET_VERSION_NOT_FOUND", description: "is not a version of that dataset" };
    }
  }
}
