import type { EmbeddingEndpoints } from "../embedding-endpoints/embedding-endpoints.ts";
import { EndpointAnswerError } from "../embedding-endpoints/endpoint-errors.ts";
import type { DatasetPredictions } from "../other-services/dataset-predictions.ts";
import { type Embedding, UnfitRowsError } from "./embedding.ts";
import { inferenceRequest, type Vectors, vectorsOf } from "./inference.ts";
import type { ModelInput } from "./row-inputs.ts";

/** What says who makes the vectors of an embedding. */
export type MadeEmbedding = Pick<Embedding, "organisationId" | "recipe" | "deploymentVersionId">;

/** Vectors, and the version of the deployment that made them, if a deployment did. */
export interface MadeVectors extends Vectors {
  readonly deploymentVersionId: string | undefined;
}

/** What an endpoint is told, and how often it is asked while it asks to wait. Deployments have pauses of their own. */
export interface MakingTerms {
  place: string;
  effectId: string;
  attempts: number;
}

interface Dependencies {
  predictions: Pick<DatasetPredictions, "predict">;
  endpoints: Pick<EmbeddingEndpoints, "embed" | "batchOf">;
}

/** Rows that a deployment is sent at once. */
const deploymentBatch = 32;

/** Has vectors made of inputs by what a recipe names: a deployment, or an endpoint of the settings. */
export class VectorMakers {
  readonly #predictions: Dependencies["predictions"];
  readonly #endpoints: Dependencies["endpoints"];

  constructor({ predictions, endpoints }: Dependencies) {
    this.#predictions = predictions;
    this.#endpoints = endpoints;
  }

  /** Rows that are sent at once. @throws EndpointGoneError */
  batchRows({ organisationId, recipe: { maker } }: MadeEmbedding): number {
    return maker.kind === "deployment" ? deploymentBatch : this.#endpoints.batchOf({ organisationId, ...maker });
  }

  /** @throws UnfitRowsError, and what deployments and endpoints refuse */
  async make(
    { organisationId, recipe: { maker }, deploymentVersionId: versionId }: MadeEmbedding,
    inputs: readonly ModelInput[],
    terms: MakingTerms,
    signal: AbortSignal,
  ): Promise<MadeVectors> {
    if (maker.kind === "endpoint") {
      const texts = inputs.map(textOf);
      const made = this.#endpoints.embed({ organisationId, ...maker }, { texts, ...terms, signal });
      return { ...(await made.catch(asUnfit)), deploymentVersionId: undefined };
    }
    const { deploymentId } = maker;
    const predictor = { organisationId, deploymentId, versionId };
    const answer = await this.#predictions.predict(predictor, inferenceRequest(maker, inputs), signal);
    return { ...vectorsOf(maker, answer.body, inputs.length), deploymentVersionId: answer.versionId };
  }
}

/** A recipe with an endpoint has a template. */
function textOf(input: ModelInput): string {
  if (typeof input === "string") return input;
  throw new Error("numbers are sent to no endpoint");
}

function asUnfit(error: unknown): never {
  if (!(error instanceof EndpointAnswerError)) throw error;
  throw new UnfitRowsError({
    rule: "answer",
    message: error.message,
    remedy: "Name a model that embeds texts, or tell the operator of the platform",
  });
}
