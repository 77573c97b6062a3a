import { createHash } from "node:crypto";
import type { VectorMetric } from "@aiplatform/data-engine";
import type { TenantDocument } from "@aiplatform/document-store";
import { refsTo, type Thing } from "@aiplatform/service-kit/lineage";
import { type MadeForDocument, toMadeFor, toMadeForDocument } from "../dataset-versions/version-document.ts";
import type { Embedding, EmbeddingProblem, EmbeddingRecipe, RowInput, SearchData } from "./embedding.ts";
import type { EmbeddingState } from "./embedding-state.ts";

interface RecipeDocument {
  /** Null where an endpoint makes the vectors. */
  deployment_id: string | null;
  input: string | null;
  output: string | null;
  /** Absent where a deployment makes them. */
  endpoint?: string;
  model?: string;
  template: string | null;
  column: string | null;
  scale: number;
  metric: VectorMetric;
}

/** An embedding as it is stored. */
export interface EmbeddingDocument extends TenantDocument {
  dataset_id: string;
  version_id: string;
  state: EmbeddingState;
  recipe: RecipeDocument;
  /** Digest of what decides which vectors rows get: those of one digest can be used again. */
  recipe_key: string;
  deployment_version_id: string | null;
  dimensions: number | null;
  row_count: number;
  embedded_rows: number;
  reused_rows: number;
  /** Absent where none are under way. */
  sending_rows?: number;
  /** Absent where a deployment makes the vectors. */
  creator?: { member_id: string | null; credential_id: string };
  earlier_id: string | null;
  data: { sha256: string; size_bytes: number } | null;
  /** Absent in documents of earlier versions. */
  search?: { sha256: string; size_bytes: number; cells: number; recall: number } | null;
  problem: EmbeddingProblem | null;
  /** Absent of those that an earlier version of the service has stored. */
  made_for?: MadeForDocument;
  created_at: Date;
  updated_at: Date;
  /**
   * What is to be done, by one process at a time. `stops`: how often a process has stopped or the model
   * has failed since the last batch.
   */
  task?: { not_before: Date; holder: string | null; attempts: number; stops?: number };
}

/** Digest of all of a recipe that decides about vectors: how far they are from each other does not. */
export function recipeKeyOf({ maker, row }: EmbeddingRecipe): string {
  const by =
    maker.kind === "deployment"
      ? [maker.deploymentId, maker.input, maker.output]
      : [maker.kind, maker.endpoint, maker.model];
  const of = row.kind === "template" ? [row.template] : [row.column, row.scale];
  return createHash("sha256")
    .update(JSON.stringify([...by, row.kind, ...of]))
    .digest("hex");
}

/** A new embedding is due at once. */
export function toDocument(embedding: Embedding): EmbeddingDocument {
  const { recipe, data, creator } = embedding;
  return {
    _id: embedding.id,
    organisation_id: embedding.organisationId,
    dataset_id: embedding.datasetId,
    version_id: embedding.versionId,
    state: embedding.state,
    recipe: toRecipeDocument(recipe),
    recipe_key: recipeKeyOf(recipe),
    deployment_version_id: embedding.deploymentVersionId ?? null,
    dimensions: embedding.dimensions ?? null,
    row_count: embedding.rowCount,
    embedded_rows: embedding.embeddedRows,
    reused_rows: embedding.reusedRows,
    ...(creator && { creator: { member_id: creator.memberId ?? null, credential_id: creator.credentialId } }),
    earlier_id: embedding.earlierId ?? null,
    data: data ? { sha256: data.sha256, size_bytes: data.sizeBytes } : null,
    search: embedding.search ? toSearchDocument(embedding.search) : null,
    problem: embedding.problem ?? null,
    ...(embedding.madeFor && { made_for: toMadeForDocument(embedding.madeFor) }),
    created_at: embedding.createdAt,
    updated_at: embedding.updatedAt,
    task: { not_before: embedding.createdAt, holder: null, attempts: 0 },
  };
}

export function toSearchDocument({ sizeBytes, ...search }: SearchData) {
  return { ...search, size_bytes: sizeBytes };
}

function toRecipeDocument({ maker, row, metric }: EmbeddingRecipe): RecipeDocument {
  const by =
    maker.kind === "deployment"
      ? { deployment_id: maker.deploymentId, input: maker.input, output: maker.output }
      : { deployment_id: null, input: null, output: null, endpoint: maker.endpoint, model: maker.model };
  return {
    ...{ ...by, metric },
    template: row.kind === "template" ? row.template : null,
    column: row.kind === "column" ? row.column : null,
    scale: row.kind === "column" ? row.scale : 1,
  };
}

function toRow({ template, column, scale }: RecipeDocument): RowInput {
  return template === null ? { kind: "column", column: column ?? "", scale } : { kind: "template", template };
}

function toSearch({ size_bytes: sizeBytes, ...search }: NonNullable<EmbeddingDocument["search"]>): SearchData {
  return { ...search, sizeBytes };
}

function toMaker({ deployment_id, input, output, endpoint, model }: RecipeDocument): EmbeddingRecipe["maker"] {
  if (endpoint !== undefined) return { kind: "endpoint", endpoint, model: model ?? "" };
  return { kind: "deployment", deploymentId: deployment_id ?? "", input: input ?? "", output: output ?? "" };
}

export function toEmbedding(document: EmbeddingDocument): Embedding {
  const { recipe, data, search, creator } = document;
  return {
    id: document._id,
    organisationId: document.organisation_id,
    datasetId: document.dataset_id,
    versionId: document.version_id,
    state: document.state,
    recipe: { maker: toMaker(recipe), row: toRow(recipe), metric: recipe.metric },
    deploymentVersionId: document.deployment_version_id ?? undefined,
    dimensions: document.dimensions ?? undefined,
    rowCount: document.row_count,
    embeddedRows: document.embedded_rows,
    reusedRows: document.reused_rows,
    sendingRows: document.sending_rows ?? 0,
    creator: creator && { memberId: creator.member_id ?? undefined, credentialId: creator.credential_id },
    earlierId: document.earlier_id ?? undefined,
    data: data ? { sha256: data.sha256, sizeBytes: data.size_bytes } : undefined,
    search: search ? toSearch(search) : undefined,
    problem: document.problem ?? undefined,
    madeFor: document.made_for && toMadeFor(document.made_for),
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

/** An embedding as the lineage has it. */
export function toThing({
  _id: id,
  dataset_id: parentId,
  version_id: versionId,
  state,
}: Pick<EmbeddingDocument, "_id" | "dataset_id" | "version_id" | "state">): Thing {
  return { kind: "dataset_embedding", id, parentId, state, sources: refsTo("dataset_version", [versionId]) };
}
