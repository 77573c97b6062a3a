import type { ForwardedCaller } from "@aiplatform/caller-identity";
import type { ClientSession } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import { readyVersion } from "../dataset-rows/read-rows.ts";
import {
  DatasetVersionNotReadyError,
  type ReadyVersion,
  type VersionRef,
} from "../dataset-versions/dataset-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
import type { DatasetPredictions } from "../other-services/dataset-predictions.ts";
import {
  type Embedding,
  EmbeddingLimitError,
  type EmbeddingRecipe,
  maxOfVersion,
  maxRows,
  maxUnderWay,
} from "./embedding.ts";
import { embeddingCreated } from "./embedding-events.ts";
import type { EmbeddingStore } from "./embedding-store.ts";
import { rowInputOf, type SaidInput } from "./recipe-check.ts";

export interface CreateEmbeddingDependencies extends Pick<DomainPlatform, "outbox" | "clock" | "newId"> {
  versions: Pick<DatasetVersionStore, "get" | "claimReady">;
  embeddings: EmbeddingStore;
  predictions: Pick<DatasetPredictions, "assertMayAsk">;
}

/** A recipe as the caller says it. */
export type SaidRecipe = Omit<EmbeddingRecipe, "row"> & SaidInput;

/** A recipe that fits the version, whose deployment the caller may ask. */
export interface NewEmbedding {
  version: ReadyVersion;
  recipe: EmbeddingRecipe;
}

/**
 * Looks up the version, and the deployment in the caller's name.
 * @throws DatasetVersionNotFoundError, DatasetVersionNotReadyError, EmbeddingLimitError, InvalidFieldsError, DeploymentNotFoundError,
 * DeploymentsUnavailableError, and what deployments refuses
 */
export async function lookUpRecipe(
  { versions, predictions }: Pick<CreateEmbeddingDependencies, "versions" | "predictions">,
  caller: ForwardedCaller,
  ref: VersionRef,
  { template, column, scale, ...said }: SaidRecipe,
): Promise<NewEmbedding> {
  const version = await readyVersion({ versions }, ref);
  assertSize(version);
  const recipe = { ...said, row: rowInputOf(version.data.columns, { template, column, scale }) };
  await predictions.assertMayAsk(caller, recipe.deploymentId);
  return { version, recipe };
}

/** Registers an embedding, which is due at once. @throws DatasetVersionNotReadyError when the version was purged meanwhile, EmbeddingLimitError */
export async function createEmbedding(
  { versions, embeddings, outbox, clock, newId }: CreateEmbeddingDependencies,
  { version, recipe }: NewEmbedding,
  session: ClientSession,
): Promise<Embedding> {
  const { organisationId, datasetId, id: versionId } = version;
  const ref = { organisationId, datasetId, versionId };
  if (!(await versions.claimReady(ref, session))) throw new DatasetVersionNotReadyError("purging");
  const { ofVersion, underWay } = await embeddings.counts(ref, session);
  if (ofVersion >= maxOfVersion) {
    throw new EmbeddingLimitError(`The version has ${maxOfVersion} embeddings, which is the most`);
  }
  if (underWay >= maxUnderWay) {
    throw new EmbeddingLimitError(
      `The organisation has ${maxUnderWay} embeddings under way, which is the most. Wait until one is ready, or cancel one`,
    );
  }
  const time = clock();
  const embedding: Embedding = {
    ...{ id: newId(), ...ref, state: "pending", recipe, rowCount: version.data.rowCount },
    ...{ deploymentVersionId: undefined, dimensions: undefined, embeddedRows: 0, reusedRows: 0 },
    ...{ earlierId: undefined, data: undefined, problem: undefined, createdAt: time, updatedAt: time },
  };
  await embeddings.insert(embedding, session);
  await outbox.stage(session, embeddingCreated(embedding, time));
  return embedding;
}

function assertSize({ data: { rowCount } }: ReadyVersion): void {
  if (rowCount === 0) throw new EmbeddingLimitError("The version has no rows");
  if (rowCount <= maxRows) return;
  throw new EmbeddingLimitError(
    `The version has ${rowCount} rows, and ${maxRows} is the most that is searched. Embed a version with fewer`,
  );
}
