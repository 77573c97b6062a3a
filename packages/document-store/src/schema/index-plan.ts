import type { CreateIndexesOptions } from "mongodb";

/** A collection, and its indexes. */
export interface IndexPlan {
  collection: string;
  /**
   * `organisation`: each document names its organisation in `organisation_id`, and is removed when that is deleted.
   * `installation`: no document belongs to an organisation.
   */
  owner: "organisation" | "installation";
  /** A field that is `true` in documents that stay when their organisation is deleted, because they tell of it. Default: none. */
  keptAfterDeletion?: string;
  indexes: readonly PlannedIndex[];
  /**
   * Names of indexes of earlier versions that nothing replaces. They are dropped when no replica runs that declares other indexes.
   * The previous version makes them again when it starts.
   */
  retired?: readonly string[];
}

export interface PlannedIndex
  extends Pick<CreateIndexesOptions, "unique" | "partialFilterExpression" | "expireAfterSeconds" | "name"> {
  /** Its order is part of the index. */
  key: Record<string, 1 | -1>;
  /**
   * The service answers before the index is built; until then, what it serves is slow. Default false: the service is not ready
   * before. Not for a unique index, on which correctness rests.
   */
  isBuiltWhileServing?: boolean;
}
