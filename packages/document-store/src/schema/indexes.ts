import { setTimeout as delay } from "node:timers/promises";
import { type CreateIndexesOptions, type IndexDescription, type IndexSpecification, MongoServerError } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { asStoreError, isStoreUnavailable } from "./errors.ts";
import { type Logger, silentLogger } from "./logger.ts";

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
  /**
   * Names of indexes of earlier versions, dropped once those above are built. An index that changes gets a new name, and its old
   * name stands here. The previous version, which may still run, has to work without it: it makes it again when it starts.
   */
  retired?: readonly string[];
}

/** An index of the same name or fields exists with other options. */
export class IndexConflictError extends Error {
  override name = "IndexConflictError";
}

export interface IndexWait {
  logger?: Logger;
  /** Ends the wait. What is being built goes on without it. */
  signal?: AbortSignal;
  /** How long to try while the database neither answers nor builds, ms. Default 60 000. */
  waitMs?: number;
}

const indexConflictCodes: ReadonlySet<unknown> = new Set([85, 86]);
const missingCodes: ReadonlySet<unknown> = new Set([26, 27]);
const defaultWaitMs = 60_000;
const pauseBetweenAttemptsMs = 500;

/**
 * Creates what is missing, then drops what is retired, and leaves the rest alone. Each collection's indexes are built by one
 * command, which the server finishes or undoes as a whole, also when its caller has left: an interrupted start is repaired by the
 * next one, and a build that takes longer than a connection stays silent is waited for.
 * @throws IndexConflictError when an existing index differs
 */
export async function createIndexes(
  store: DocumentStore,
  plans: readonly IndexPlan[],
  wait: IndexWait = {},
): Promise<void> {
  for (const { collection, indexes, retired = [] } of plans) {
    const wanted = indexes.map(withName);
    const both = wanted.find(({ name }) => name !== undefined && retired.includes(name));
    if (both) throw new IndexConflictError(`collection ${collection}: index ${both.name} is wanted and retired`);
    if (wanted.length > 0) await build(store, { collection, wanted }, wait);
    for (const name of retired) await drop(store, { collection, name }, wait);
  }
}

interface Build {
  collection: string;
  wanted: IndexDescription[];
}

async function build(
  store: DocumentStore,
  { collection, wanted }: Build,
  { logger = silentLogger, signal, waitMs = defaultWaitMs }: IndexWait,
): Promise<void> {
  for (let deadline = performance.now() + waitMs; ; ) {
    signal?.throwIfAborted();
    try {
      await store.database.collection(collection).createIndexes(wanted);
      return;
    } catch (error) {
      if (error instanceof MongoServerError && indexConflictCodes.has(error.code)) {
        throw new IndexConflictError(`collection ${collection}: ${error.message}`, { cause: error });
      }
      if (!isStoreUnavailable(error)) throw asStoreError(error);
      if (await isBuilding(store, collection)) deadline = performance.now() + waitMs;
      else if (performance.now() > deadline) throw asStoreError(error);
      logger.warn({ err: error, collection }, "the indexes of a collection are not built yet");
    }
    // The next command joins the build that is under way.
    await delay(pauseBetweenAttemptsMs, undefined, signal ? { signal } : {});
  }
}

async function isBuilding({ database }: DocumentStore, collection: string): Promise<boolean> {
  try {
    const { cursor } = await database.command({ listIndexes: collection, includeIndexBuildInfo: true });
    return cursor.firstBatch.some((index: object) => "indexBuildInfo" in index);
  } catch {
    return false;
  }
}

/** What cannot be dropped now costs room until the next start, and must not prevent this one. */
async function drop(
  { database }: DocumentStore,
  { collection, name }: { collection: string; name: string },
  { logger = silentLogger }: IndexWait,
): Promise<void> {
  try {
    await database.collection(collection).dropIndex(name);
  } catch (error) {
    // Another replica was first, or there never was one.
    if (error instanceof MongoServerError && missingCodes.has(error.code)) return;
    logger.warn({ err: error, collection, index: name }, "a retired index could not be dropped");
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
