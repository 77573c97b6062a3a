import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DatasetPredictionService } from "@aiplatform/contract/aiplatform/deployments/v1/dataset_predictions";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";

/** Time that deployments has for a short answer, and for a prediction, for which an instance may have to be started, ms. */
const timeoutMs = 5_000;
const predictionMs = 60_000;

/** The deployment does not exist, or not here. */
export class DeploymentNotFoundError extends NotFoundError {
  override name = "DeploymentNotFoundError";
}

/** The service that asks deployments cannot be asked. */
export class DeploymentsUnavailableError extends Error {
  override name = "DeploymentsUnavailableError";
  constructor(why: string, cause?: unknown) {
    super(`The service that keeps deployments ${why}`, { cause });
  }
}

/** A deployment, and the version of it that has to answer. */
export interface Predictor {
  organisationId: string;
  deploymentId: string;
  /** Undefined: the one that gets most predictions. */
  versionId: string | undefined;
}

/** What a version of a deployment has answered. */
export interface Prediction {
  versionId: string;
  body: Uint8Array;
}

const silent: ReadonlyMap<Code, string> = new Map([
  [Code.Unavailable, "does not answer"],
  [Code.DeadlineExceeded, "does not answer in time"],
  [Code.Unimplemented, "is of an earlier version: upgrade it"],
]);

/** The reason that deployments gives for a refusal; empty: none. */
export function reasonOf(failure: unknown): string {
  if (!(failure instanceof ConnectError)) return "";
  return failure.findDetails(ErrorInfoSchema).find(({ reason }) => reason !== "")?.reason ?? "";
}

/** The predictions of deployments, of which embeddings are made. */
export class DatasetPredictions {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: readonly string[];
  #client: Client<typeof DatasetPredictionService> | undefined;

  /** `connect` is called at the first question. `addresses`: none where deployments is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** Whether the caller may ask the deployment. @throws DeploymentNotFoundError, DeploymentsUnavailableError, and what deployments refuses */
  async assertMayAsk(caller: ForwardedCaller, deploymentId: string): Promise<void> {
    const options = { headers: credentialHeaders(caller, "deployments"), timeoutMs };
    try {
      await this.#connected().describeDatasetPredictor({ deploymentId }, options);
    } catch (error) {
      if (ConnectError.from(error).code === Code.NotFound) throw new DeploymentNotFoundError(deploymentId);
      throw translated(error);
    }
  }

  /** @throws DeploymentsUnavailableError, and what deployments refuses */
  async predict(
    { organisationId, deploymentId, versionId: deploymentVersionId = "" }: Predictor,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<Prediction> {
    try {
      const request = { organisationId, deploymentId, deploymentVersionId, body };
      const answer = await this.#connected().predictForDataset(request, { signal, timeoutMs: predictionMs });
      return { versionId: answer.deploymentVersionId, body: answer.body };
    } catch (error) {
      throw translated(error);
    }
  }

  #connected(): Client<typeof DatasetPredictionService> {
    if (this.#addresses.length === 0) {
      throw new DeploymentsUnavailableError("is not known here: DEPLOYMENTS_ADDRESS is not set in data");
    }
    this.#client ??= createClient(DatasetPredictionService, this.#connect(this.#addresses));
    return this.#client;
  }
}

/** What deployments says itself stays: callers are told its reason. */
function translated(error: unknown): unknown {
  if (error instanceof DeploymentsUnavailableError) return error;
  const why = silent.get(ConnectError.from(error).code);
  return why === undefined || reasonOf(error) !== "" ? error : new DeploymentsUnavailableError(why, error);
}
