import type { VectorMetric } from "@aiplatform/data-engine";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { MadeFor, VersionProblem, VersionRef } from "../dataset-versions/dataset-version.ts";
import type { EmbeddingState } from "./embedding-state.ts";

/** What is sent for a row: a text, or the numbers of a column. */
export type RowInput =
  | { readonly kind: "template"; readonly template: string }
  | { readonly kind: "column"; readonly column: string; readonly scale: number };

/** A deployment that makes vectors, and the names of its model's tensors. */
export interface DeploymentMaker {
  readonly kind: "deployment";
  readonly deploymentId: string;
  readonly input: string;
  readonly output: string;
}

/** An endpoint of the settings that makes vectors, outside of the platform. */
export interface EndpointMaker {
  readonly kind: "endpoint";
  readonly endpoint: string;
  readonly model: string;
}

/** How rows become vectors. */
export interface EmbeddingRecipe {
  readonly maker: DeploymentMaker | EndpointMaker;
  readonly row: RowInput;
  readonly metric: VectorMetric;
}

/** The member and the credential behind a call. */
export interface EmbeddingCreator {
  readonly memberId: string | undefined;
  readonly credentialId: string;
}

/** Why rows cannot be embedded. */
export type EmbeddingProblem = Pick<VersionProblem, "rule" | "message" | "remedy">;

/** The vectors of a version that are ready: one Parquet file, which is an artifact. */
export interface VectorData {
  sha256: string;
  sizeBytes: number;
}

/** The vectors as searches read them, which is an artifact as well. */
export interface SearchData extends VectorData {
  /** 1: a search compares all vectors, and misses none. */
  cells: number;
  /** Share of the ten nearest rows that searches for a sample of the vectors have found. */
  recall: number;
}

/** An embedding of a version. */
export interface Embedding {
  id: string;
  organisationId: string;
  datasetId: string;
  versionId: string;
  state: EmbeddingState;
  recipe: EmbeddingRecipe;
  /** The version of the deployment that makes all vectors, once it is known. */
  deploymentVersionId: string | undefined;
  /** Of each vector, once one was made. */
  dimensions: number | undefined;
  rowCount: number;
  /** Rows that have a vector: the first ones of the version. */
  embeddedRows: number;
  /** Of those, the rows whose vector was that of an earlier embedding. */
  reusedRows: number;
  /** Rows of a request to an endpoint whose answer is not stored: they have been sent or will be. */
  sendingRows: number;
  /** Who created it, of one by an endpoint: in whose name rows are sent. */
  creator: EmbeddingCreator | undefined;
  /** Earlier embedding of the same recipe, whose vectors are used again. */
  earlierId: string | undefined;
  data: VectorData | undefined;
  /** Of an embedding that is ready. Those of the time before there was such a file have none. */
  search: SearchData | undefined;
  problem: EmbeddingProblem | undefined;
  /** Undefined where it is not known. */
  madeFor: MadeFor | undefined;
  createdAt: Date;
  updatedAt: Date;
}

/** An embedding whose vectors can be read. */
export type ReadyEmbedding = Embedding & { data: VectorData; dimensions: number };

/** An embedding, and the version that it is said to be of. */
export interface EmbeddingRef extends VersionRef {
  embeddingId: string;
}

export const maxRows = 1_000_000;
/** Numbers of all vectors of an embedding, and of one. */
export const maxNumbers = 400_000_000;
export const maxDimensions = 4_096;
/** Embeddings of a version that are under way or ready, and of an organisation that are under way. */
export const maxOfVersion = 16;
export const maxUnderWay = 8;

/** The embedding does not exist, or not here. */
export class EmbeddingNotFoundError extends NotFoundError {
  override name = "EmbeddingNotFoundError";
}

/** The version or the organisation has as many embeddings as it may have, or the version is too large. */
export class EmbeddingLimitError extends Error {
  override name = "EmbeddingLimitError";
}

const reasons: Readonly<Record<Exclude<EmbeddingState, "ready">, string>> = {
  pending: "its rows wait to be sent. Ask again in a moment",
  embedding: "its rows are being sent. Ask again in a moment",
  failed: "its rows cannot be embedded. Its problem says why",
  cancelled: "it was cancelled",
  purging: "its vectors are being removed",
};

/** The vectors of the embedding cannot be read. */
export class EmbeddingNotReadyError extends Error {
  override name = "EmbeddingNotReadyError";
  /** `undefined`: the dataset has none that is ready. */
  constructor(state?: Exclude<EmbeddingState, "ready">) {
    super(
      state
        ? `The embedding has no vectors to read: ${reasons[state]}`
        : "The dataset has no embedding that is ready. Create one of a version first",
    );
  }
}

/** The embedding cannot be cancelled any longer. */
export class EmbeddingMoveError extends Error {
  override name = "EmbeddingMoveError";
  constructor(state: EmbeddingState) {
    super(`The embedding is ${state}, so it cannot be cancelled`);
  }
}

/** The rows cannot be embedded as the recipe says. Trying again fails again. */
export class UnfitRowsError extends Error {
  override name = "UnfitRowsError";
  readonly problem: EmbeddingProblem;
  constructor(problem: EmbeddingProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** @throws EmbeddingNotReadyError */
export function assertEmbedded(embedding: Embedding): asserts embedding is ReadyEmbedding {
  if (embedding.state !== "ready") throw new EmbeddingNotReadyError(embedding.state);
  if (!embedding.data || !embedding.dimensions)
    throw new Error(`the embedding ${embedding.id} is ready and has no vectors`);
}
