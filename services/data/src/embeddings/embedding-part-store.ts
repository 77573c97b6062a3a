import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";
import type { DatasetRef, VersionRef } from "../dataset-versions/dataset-version.ts";
import type { Embedding } from "./embedding.ts";

/** The vectors of one batch of rows. */
export interface EmbeddingPart {
  firstRow: number;
  /** Digests of the rows' inputs. */
  keys: readonly string[];
  vectors: readonly Float32Array[];
}

interface PartDocument extends TenantDocument {
  dataset_id: string;
  version_id: string;
  embedding_id: string;
  first_row: number;
  keys: string[];
  dimensions: number;
  /** Numbers of 32 bits, least byte first, as base64. */
  vectors: string;
}

const collection = "dataset_embedding_parts";
const numberBytes = 4;

/** The vectors of embeddings that are under way. A part and the cursor behind it are written together, so that none is asked for again. */
export class EmbeddingPartStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      { name: "embedding", key: { organisation_id: 1, embedding_id: 1, first_row: 1 }, unique: true },
      { name: "version", key: { organisation_id: 1, dataset_id: 1, version_id: 1 } },
    ],
  };

  readonly #parts: TenantCollection<PartDocument>;

  constructor(store: DocumentStore) {
    this.#parts = new TenantCollection(store, collection);
  }

  async insert(embedding: Embedding, part: EmbeddingPart, session: ClientSession): Promise<void> {
    const { id, organisationId, datasetId, versionId } = embedding;
    const document = {
      _id: `${id}:${part.firstRow}`,
      organisation_id: organisationId,
      dataset_id: datasetId,
      version_id: versionId,
      embedding_id: id,
      first_row: part.firstRow,
      keys: [...part.keys],
      dimensions: part.vectors[0]?.length ?? 0,
      vectors: Buffer.concat(part.vectors.map(bytesOf)).toString("base64"),
    };
    await this.#parts.insert(organisationId, document, { session });
  }

  /** All of them, in the order of the rows. */
  async *each({ organisationId, id }: Pick<Embedding, "organisationId" | "id">): AsyncGenerator<EmbeddingPart> {
    const sort = { first_row: 1 } as const;
    for await (const part of this.#parts.each(organisationId, { embedding_id: id }, { sort })) {
      const { first_row: firstRow, keys, dimensions, vectors } = part;
      yield { firstRow, keys, vectors: vectorsIn(Buffer.from(vectors, "base64"), dimensions) };
    }
  }

  async removeAll(
    { organisationId, id }: Pick<Embedding, "organisationId" | "id">,
    session: ClientSession,
  ): Promise<void> {
    await this.#parts.deleteMany(organisationId, { embedding_id: id }, { session });
  }

  async removeVersion({ organisationId, datasetId, versionId }: VersionRef, session: ClientSession): Promise<void> {
    await this.#parts.deleteMany(organisationId, { dataset_id: datasetId, version_id: versionId }, { session });
  }

  async removeDataset({ organisationId, datasetId }: DatasetRef, session: ClientSession): Promise<void> {
    await this.#parts.deleteMany(organisationId, { dataset_id: datasetId }, { session });
  }
}

/** Least byte first, whatever the machine does. */
function bytesOf(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * numberBytes);
  for (const [at, number] of vector.entries()) bytes.writeFloatLE(number, at * numberBytes);
  return bytes;
}

function vectorsIn(bytes: Buffer, dimensions: number): Float32Array[] {
  const width = dimensions * numberBytes;
  return Array.from({ length: width > 0 ? bytes.byteLength / width : 0 }, (_, row) =>
    Float32Array.from({ length: dimensions }, (__, at) => bytes.readFloatLE(row * width + at * numberBytes)),
  );
}
