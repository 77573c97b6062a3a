import type { Caller } from "@aiplatform/caller-identity";
import type { ClientSession } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import { readyVersion } from "../dataset-rows/read-rows.ts";
import {
  DatasetVersionNotReadyError,
  type MadeFor,
  type ReadyVersion,
  type VersionRef,
} from "../dataset-versions/dataset-version.ts";
import type { DatasetVersionStore } from "../dataset-versions/version-store.ts";
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
import { assertMayMake, type MakerDependencies, makerOf, type SaidMaker } from "./maker-check.ts";
import { rowInputOf, type SaidInput } from "./recipe-check.ts";

export interface CreateEmbeddingDependencies
  extends Pick<DomainPlatform, "outbox" | "clock" | "newId">,
    MakerDependencies {
  versions: Pick<DatasetVersionStore, "get" | "claimReady">;
  embeddings: EmbeddingStore;
}

/** A recipe as the caller says it. */
export type SaidRecipe = Pick<EmbeddingRecipe, "metric"> & SaidMaker & SaidInput;

/** A recipe that fits the version, by which the caller may have rows sent. */
export interface NewEmbedding {
  version: ReadyVersion;
  creator: Embedding["creator"];
  recipe: EmbeddingRecipe;
  madeFor?: MadeFor | undefined;
}

/**
 * Looks up the version, and in the caller's name what makes the vectors.
 * @throws DatasetVersionNotFoundError, DatasetVersionNotReadyError, EmbeddingLimitError, InvalidFieldsError, and as assertMayMake
 */
export async function lookUpRecipe(
  dependencies: Pick<CreateEmbeddingDependencies, "versions" | keyof MakerDependencies>,
  caller: Caller,
  ref: VersionRef,
  { metric, ...said }: SaidRecipe,
): Promise<NewEmbedding> {
  const version = await readyVersion(dependencies, ref);
  assertSize(version);
  const recipe = { maker: makerOf(said), row: rowInputOf(version.data.columns, said), metric };
  await assertMayMake(dependencies, caller, ref, recipe);
  const { memberId, credentialId } = caller;
  return { version, recipe, creator: recipe.maker.kind === "endpoint" ? { memberId, credentialId } : undefined };
}

/** Registers an embedding, which is due at once. @throws DatasetVersionNotReadyError when the version was purged meanwhile, EmbeddingLimitError */
export async function createEmbedding(
  { versions, embeddings, outbox, clock, newId }: CreateEmbeddingDependencies,
  { version, recipe, creator, madeFor }: NewEmbedding,
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
    ...{
      deploymentVersionId: undefined,
      dimensions: undefined,
      embeddedRows: 0,
      reusedRows: 0,
      sendingRows: 0,
      creator,
    },
    ...{
      earlierId: undefined,
      data: undefined,
      search: undefined,
      problem: undefined,
      madeFor,
      createdAt: time,
      updatedAt: time,
    },
  };
  await embeddings.insert(embedding, session);
  await outbox.stage(session, embeddingCreated(embedding, time));
  return embedding;
}

function assertSize({ data: { rowCount } }: ReadyVersion): void {
  if (rowCount === 0) throw new EmbeddingLimitError("The version has no rows");
  if (rowCount <= maxRows) return;
  throw new EmbeddingLimitError(
    `The version has ${rowCount} rows, and ${maxRows} is the most that is embedded. Embed a version with fewer`,
  );
}
