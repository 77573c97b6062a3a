import { Peer } from "@aiplatform/service-kit/peer";
import type { Transport } from "@connectrpc/connect";

/** The data service cannot be asked what only it knows. */
export class DatasetsUnavailableError extends Error {
  override name = "DatasetsUnavailableError";
  constructor(why: string, cause?: unknown) {
    super(`The service that keeps the data of datasets cannot be asked: ${why}. Nothing was changed.`, { cause });
  }
}

/** Calls to the data service. */
export class DataCalls extends Peer {
  /** `connect` is called at the first question. `addresses`: none where the data service is not installed. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    super({
      ...{ connect, addresses },
      unknown: "DATA_ADDRESS is not set in deployments",
      unavailable: (why, cause) => new DatasetsUnavailableError(cause ? `it ${why}` : why, cause),
    });
  }
}
