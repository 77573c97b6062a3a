import { setTimeout as delay } from "node:timers/promises";
import { type IndexDescription, type IndexSpecification, MongoServerError } from "mongodb";
import type { DocumentStore } from "../document-store.ts";
import { asStoreError, isStoreUnavailable, translated } from "../errors.ts";
import { declaredName } from "../index-name.ts";
import { type Logger, silentLogger } from "../logger.ts";
import { type IndexChanges, indexChanges, type StoredIndex } from "./index-changes.ts";
import type { IndexPlan } from "./index-plan.ts";

/** The server refuses an index: one that this service did not declare is in its place, or a declaration contradicts itself. */
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
const progressEveryMs = 10_000;
/** Collections that are looked at at once: each needs a connection, and to open one costs more than the look. */
const collectionsAtOnce = 4;
/** A call that takes longer is answered in the meantime: the driver gives up a silent connection before. */
const maxSilenceMs = 60_000;

/**
 * Builds what is missing and leaves the rest alone. Each collection's indexes are built by one command, which the server finishes or
 * undoes as a whole, also when its caller has left: an interrupted start is repaired by the next one, and a build that takes longer
 * than a connection stays silent is waited for.
 * @throws IndexConflictError when the server has an index of the same fields that no version of the service has declared
 */
export async function createIndexes(
  store: DocumentStore,
  plans: readonly IndexPlan[],
  wait: IndexWait = {},
): Promise<void> {
  await createRequiredIndexes(store, plans, wait);
  await createOtherIndexes(store, plans, wait);
}

/** The indexes without which the service must not answer. Answers whether there are some that this version would drop. */
export async function createRequiredIndexes(
  store: DocumentStore,
  plans: readonly IndexPlan[],
  wait: IndexWait = {},
): Promise<boolean> {
  let hasReplaced = false;
  const create = async (plan: IndexPlan) => {
    assertConsistent(plan);
    const { required, retention, replaced, names } = await changesOf(store, plan, wait);
    const { collection } = plan;
    if (required.length > 0) await build(store, { collection, wanted: required }, wait);
    for (const index of retention) await changeRetention(store, { collection, ...index }, wait);
    store.indexNames.set(collection, names);
    hasReplaced ||= replaced.length > 0;
  };
  const left = plans.values();
  const createSome = async () => {
    for (const plan of left) await create(plan);
  };
  await Promise.all(Array.from({ length: collectionsAtOnce }, createSome));
  return hasReplaced;
}

/** The indexes without which it is only slow, one collection after the other. */
export async function createOtherIndexes(
  store: DocumentStore,
  plans: readonly IndexPlan[],
  wait: IndexWait = {},
): Promise<void> {
  for (const plan of plans.filter(({ indexes }) => indexes.some(({ isBuiltWhileServing: later }) => later))) {
    const { collection } = plan;
    const { whileServing: wanted } = await changesOf(store, plan, wait);
    if (wanted.length > 0) await build(store, { collection, wanted }, wait);
  }
}

/** Drops what is retired or replaced. To be called when every index is built, and no replica runs that declares others. */
export async function dropReplacedIndexes(
  store: DocumentStore,
  plans: readonly IndexPlan[],
  wait: IndexWait = {},
): Promise<void> {
  for (const plan of plans) {
    const { replaced } = await changesOf(store, plan, wait);
    for (const name of replaced) await drop(store, { collection: plan.collection, name }, wait);
  }
}

function assertConsistent({ collection, indexes }: IndexPlan): void {
  const late = indexes.find(({ unique, isBuiltWhileServing }) => unique && isBuiltWhileServing);
  if (late)
    throw new IndexConflictError(`collection ${collection}: a unique index is built before the service answers`);
}

async function changesOf(store: DocumentStore, plan: IndexPlan, wait: IndexWait): Promise<IndexChanges> {
  const { collection } = plan;
  const listed = await persistently(store, { ...wait, collection }, () => listIndexes(store, collection));
  return indexChanges(plan, listed);
}

/** An index as the command lists it: one that is being built has `indexBuildInfo`. */
interface ListedIndex {
  spec: Omit<StoredIndex, "isBeingBuilt">;
  indexBuildInfo?: object;
}

async function listIndexes({ database }: DocumentStore, collection: string): Promise<StoredIndex[]> {
  try {
    const { cursor } = await database.command({ listIndexes: collection, includeIndexBuildInfo: true });
    const listed: readonly ListedIndex[] = cursor.firstBatch;
    return listed.map(({ spec, indexBuildInfo }) => ({ ...spec, isBeingBuilt: indexBuildInfo !== undefined }));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

interface Build {
  collection: string;
  wanted: IndexDescription[];
}

async function build(store: DocumentStore, { collection, wanted }: Build, wait: IndexWait): Promise<void> {
  const { logger = silentLogger } = wait;
  const began = performance.now();
  const indexes = wanted.map(({ name }) => name);
  const report = () => {
    const seconds = Math.round((performance.now() - began) / 1000);
    logger.info({ collection, indexes, seconds }, "building indexes");
  };
  const reporting = setInterval(report, progressEveryMs).unref();
  try {
    await persistently(store, { ...wait, collection }, () =>
      store.database.collection(collection).createIndexes(wanted),
    );
  } finally {
    clearInterval(reporting);
  }
}

/** Repeats a call while the database is away, and as long as it builds indexes of the collection. */
export async function persistently<R>(
  store: DocumentStore,
  { collection, logger = silentLogger, signal, waitMs = defaultWaitMs }: IndexWait & { collection: string },
  call: () => Promise<R>,
): Promise<R> {
  for (let deadline = performance.now() + waitMs; ; ) {
    signal?.throwIfAborted();
    const began = performance.now();
    try {
      return await call();
    } catch (error) {
      if (error instanceof MongoServerError && indexConflictCodes.has(error.code)) {
        throw new IndexConflictError(`collection ${collection}: ${error.message}`, { cause: error });
      }
      if (!isStoreUnavailable(error)) throw asStoreError(error);
      const wasAnswered = performance.now() - began > maxSilenceMs;
      if (wasAnswered || (await isBuilding(store, collection))) deadline = performance.now() + waitMs;
      else if (performance.now() > deadline) throw asStoreError(error);
      logger.warn({ err: error, collection }, "waiting for the database to prepare a collection");
    }
    // The next command joins the build that is under way.
    await delay(pauseBetweenAttemptsMs, undefined, signal ? { signal } : {});
  }
}

async function isBuilding(store: DocumentStore, collection: string): Promise<boolean> {
  const listed = await listIndexes(store, collection).catch(() => []);
  return listed.some(({ isBeingBuilt }) => isBeingBuilt);
}

/** A retention that cannot be changed, for want of the right to, must not prevent the start. */
async function changeRetention(
  { database }: DocumentStore,
  { collection, ...index }: { collection: string; name: string; expireAfterSeconds: number },
  { logger = silentLogger }: IndexWait,
): Promise<void> {
  try {
    await translated(() => database.command({ collMod: collection, index }));
  } catch (error) {
    const sentence = "the retention of documents stays as it was: run this collMod as a user with the role dbAdmin";
    logger.warn({ err: error, collection, index }, sentence);
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
    logger.info({ collection, index: name }, "dropped an index that this version does not use");
  } catch (error) {
    // Another replica was first.
    if (isMissing(error)) return;
    logger.warn({ err: error, collection, index: name }, "a retired index could not be dropped");
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof MongoServerError && missingCodes.has(error.code);
}

/** The key patterns of a collection's indexes, by declared name. */
export async function keyPatternsOf(store: { indexes(): Promise<{ name?: string; key: IndexSpecification }[]> }) {
  const indexes = await store.indexes();
  return new Map(
    indexes.map(({ name = "", key }) => [declaredName(name), { ...(typeof key === "object" ? key : {}) }]),
  );
}
