import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { Peer } from "@aiplatform/service-kit/peer";
import type { Transport } from "@connectrpc/connect";

/** Time that deployments has for its answer, ms. */
const timeoutMs = 3_000;

/** Nothing can be said about which deployments use a dataset. */
export class DeploymentsUnavailableError extends Error {
  override name = "DeploymentsUnavailableError";
  /** `why` continues a sentence, such as `does not answer`. */
  constructor(why: string, cause?: unknown) {
    super(`The service that knows which deployments use the dataset ${why}. Nothing was changed.`, { cause });
  }
}

/** Asks deployments, on behalf of the caller, which deployments use a dataset. */
export class DeploymentsUsingDataset {
  readonly #isSetUp: boolean;
  readonly #deployments: Peer;

  /** `connect` is called at the first lookup. Without addresses there are no deployments. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#isSetUp = addresses.length > 0;
    this.#deployments = new Peer({
      ...{ connect, addresses },
      unknown: "is not known here: DEPLOYMENTS_ADDRESS is not set in content",
      unavailable: (why, cause) => new DeploymentsUnavailableError(why, cause),
    });
  }

  /** Ids of the deployments. @throws DeploymentsUnavailableError and what deployments refuses */
  async list(caller: ForwardedCaller, datasetId: string): Promise<string[]> {
    if (!this.#isSetUp) return [];
    const options = { headers: credentialHeaders(caller, "deployments"), timeoutMs };
    const uses = await this.#deployments.ask(DeploymentService, (deployments) =>
      deployments.listDatasetUses({ datasetId }, options),
    );
    return uses.deploymentIds;
  }
}
