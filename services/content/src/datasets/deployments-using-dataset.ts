import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";

/** Time that deployments has for its answer, ms. */
const timeoutMs = 3_000;

/** Nothing can be said about which deployments use a dataset. */
export class DeploymentsUnavailableError extends Error {
  override name = "DeploymentsUnavailableError";
  constructor(cause: unknown) {
    super("The service that knows which deployments use the dataset does not answer. Nothing was changed.", { cause });
  }
}

/** Asks deployments, on behalf of the caller, which deployments use a dataset. */
export class DeploymentsUsingDataset {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: readonly string[];
  #deployments: Client<typeof DeploymentService> | undefined;

  /** `connect` is called at the first lookup. Without addresses there are no deployments. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** Ids of the deployments. @throws DeploymentsUnavailableError and what deployments refuses */
  async list(caller: ForwardedCaller, datasetId: string): Promise<string[]> {
    if (this.#addresses.length === 0) return [];
    this.#deployments ??= createClient(DeploymentService, this.#connect(this.#addresses));
    try {
      const options = { headers: credentialHeaders(caller, "deployments"), timeoutMs };
      return (await this.#deployments.listDatasetUses({ datasetId }, options)).deploymentIds;
    } catch (error) {
      const { code } = ConnectError.from(error);
      if (code !== Code.Unavailable && code !== Code.DeadlineExceeded) throw error;
      throw new DeploymentsUnavailableError(error);
    }
  }
}
