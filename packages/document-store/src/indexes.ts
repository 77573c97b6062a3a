import type { CreateIndexesOptions, IndexDescription, IndexSpecification } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { asStoreError } from "./errors.ts";

/** A collection, and the indexes that it must have before its service answers. */
export interface IndexPlan {
  collection: string;
  /**
   * `organisation`: each document names its organisation in `organisation_id`, and is removed when that is deleted.
   * `installation`: no document belongs to an organisation.
   */
  owner: "organisation" | "installation";
  /** A field that is `true` in documents that stay when their organisation is deleted, because they tell of it. Default: none. */
  keptAfterDeletion?: string;
  indexes: (Pick<CreateIndexesOptions, "unique" | "partialFilterExpression" | "expireAfterSeconds" | "name"> & {
    key: Record<string, 1 | -1>;
  })[];
}

/** An index of the same name or fields exists with other options; the operator has to decide what happens to it. */
export class IndexConflictError extends Error {
  override name = "IndexConflictError";
}

const indexConflictCodes: ReadonlySet<unknown> = new Set([85, 86]);

/**
 * Creates what is missing and leaves the rest alone. Each collection's indexes are built by one command, which the server
 * finishes or undoes as a whole: an interrupted start is repaired by the next one.
 * Rejects with {@link IndexConflictError} when an existing index differs.
 */
export async function createIndexes(store: DocumentStore, plans: readonly IndexPlan[]): Promise<void> {
  for (const { collection, indexes } of plans) {
    if (indexes.length === 0) continue;
    try {
      await store.database.collection(collection).createIndexes(indexes.map(withName));
    } catch (error) {
      if (error instanceof Error && "code" in error && indexConflictCodes.has(error.code)) {
        throw new IndexConflictError(`collection ${collection}: ${error.message}`, { cause: error });
      }
      throw asStoreError(error);
    }
  }
}

/** The key patterns of a collection's indexes, by index name. */
export async function keyPatternsOf(store: { indexes(): Promise<{ name?: string; key: IndexSpecification }[]> }) {
  const indexes = await store.indexes();
  return new Map(indexes.map(({ name, key }) => [name ?? "", { ...(typeof key === "object" ? key : {}) }]));
}

function withName(index: IndexPlan["indexes"][number]): IndexDescription {
  const name = Object.entries(index.key).map(([field, direction]) => `${field}_${direction}`);
  return { name: name.join("_"), ...index };
}
