import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DatasetPredictionService } from "@aiplatform/contract/aiplatform/deployments/v1/dataset_predictions";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { Peer } from "@aiplatform/service-kit/peer";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";

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

/** The predictions of deployments, of which embeddings are made. */
export class DatasetPredictions {
  readonly #deployments: Peer;

  /** `connect` is called at the first question. `addresses`: none where deployments is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#deployments = new Peer({
      ...{ connect, addresses },
      unknown: "is not known here: DEPLOYMENTS_ADDRESS is not set in data",
      keepsReasons: true,
      unavailable: (why, cause) => new DeploymentsUnavailableError(why, cause),
    });
  }

  /** Whether the caller may ask the deployment. @throws DeploymentNotFoundError, DeploymentsUnavailableError, and what deployments refuses */
  async assertMayAsk(caller: ForwardedCaller, deploymentId: string): Promise<void> {
    const options = { headers: credentialHeaders(caller, "deployments"), timeoutMs };
    try {
      await this.#deployments.ask(DatasetPredictionService, (client) =>
        client.describeDatasetPredictor({ deploymentId }, options),
      );
    } catch (error) {
      throw ConnectError.from(error).code === Code.NotFound ? new DeploymentNotFoundError(deploymentId) : error;
    }
  }

  /** @throws DeploymentsUnavailableError, and what deployments refuses */
  async predict(
    { organisationId, deploymentId, versionId: deploymentVersionId = "" }: Predictor,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<Prediction> {
    const request = { organisationId, deploymentId, deploymentVersionId, body };
    const answer = await this.#deployments.ask(DatasetPredictionService, (client) =>
      client.predictForDataset(request, { signal, timeoutMs: predictionMs }),
    );
    return { versionId: answer.deploymentVersionId, body: answer.body };
  }
}
