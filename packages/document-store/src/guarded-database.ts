import type { Collection, Db, Document } from "mongodb";
import type { StoreBreaker } from "./store-breaker.ts";
import { within } from "./within.ts";

type Guard = Pick<StoreBreaker, "run">;

/**
 * Every method of a collection: whether its call passes the breaker, or begins a cursor whose reads do. `plain`: for starts
 * and tests, or nothing that the database is asked. A method of the driver that is missing here fails a test.
 */
export const collectionMethods: Readonly<Record<string, "call" | "cursor" | "plain">> = {
  insertOne: "call",
  insertMany: "call",
  bulkWrite: "call",
  updateOne: "call",
  updateMany: "call",
  replaceOne: "call",
  deleteOne: "call",
  deleteMany: "call",
  findOne: "call",
  findOneAndDelete: "call",
  findOneAndReplace: "call",
  findOneAndUpdate: "call",
  countDocuments: "call",
  estimatedDocumentCount: "call",
  count: "call",
  distinct: "call",
  indexes: "call",
  find: "cursor",
  aggregate: "cursor",
  rename: "plain",
  drop: "plain",
  options: "plain",
  isCapped: "plain",
  // Building an index takes as long as the collection is large.
  createIndex: "plain",
  createIndexes: "plain",
  dropIndex: "plain",
  dropIndexes: "plain",
  listIndexes: "plain",
  indexExists: "plain",
  indexInformation: "plain",
  watch: "plain",
  initializeUnorderedBulkOp: "plain",
  initializeOrderedBulkOp: "plain",
  listSearchIndexes: "plain",
  createSearchIndex: "plain",
  createSearchIndexes: "plain",
  dropSearchIndex: "plain",
  updateSearchIndex: "plain",
};

const cursorReads: ReadonlySet<PropertyKey> = new Set(["toArray", "next", "hasNext", "tryNext", "forEach"]);
const closingLimitMs = 1_000;

/**
 * A database whose collections ask the breaker before every call, and bound it. A call that says `maxTimeMS` has that time;
 * any other has the breaker's.
 */
export function guardedDatabase(database: Db, guard: Guard): Db {
  return new Proxy(database, {
    get(target, property) {
      if (property !== "collection") return member(target, property);
      return (...given: Parameters<Db["collection"]>) => guardedCollection(target.collection(...given), guard);
    },
  });
}

function guardedCollection(collection: Collection, guard: Guard): Collection {
  const made = new Map<PropertyKey, unknown>();
  const make = (property: string | symbol): unknown => {
    const kind = Object.hasOwn(collectionMethods, property) ? collectionMethods[String(property)] : undefined;
    const found = member(collection, property);
    if (!isMethod(found) || kind === undefined || kind === "plain") return found;
    if (kind === "call")
      return (...given: unknown[]) => guard.run(() => Promise.resolve(found(...given)), limitIn(given));
    return (...given: unknown[]) => guardedCursor(Object(found(...given)), guard, limitIn(given));
  };
  return new Proxy(collection, {
    get(_, property) {
      if (!made.has(property)) made.set(property, make(property));
      return made.get(property);
    },
  });
}

/** Each read of the cursor is a call of its own, so that its reader may take any time between reads. */
function guardedCursor(cursor: object, guard: Guard, limitMs: number | undefined): object {
  const proxy: object = new Proxy(cursor, {
    get(target, property) {
      if (property === Symbol.asyncIterator) return () => documentsOf(proxy);
      const found = member(target, property);
      if (!isMethod(found)) return found;
      if (cursorReads.has(property))
        return (...given: unknown[]) => guard.run(() => Promise.resolve(found(...given)), limitMs);
      if (property === "close")
        return () => within(() => Promise.resolve(found()), { limitMs: closingLimitMs }).catch(() => undefined);
      return (...given: unknown[]) => {
        const result = found(...given);
        return result === target ? proxy : result;
      };
    },
  });
  return proxy;
}

async function* documentsOf(cursor: object): AsyncGenerator<Document> {
  const next = Reflect.get(cursor, "next");
  const close = Reflect.get(cursor, "close");
  try {
    for (;;) {
      const document = await next();
      if (document === null) return;
      yield document;
    }
  } finally {
    await close();
  }
}

/** A member with its methods bound: the driver's classes have private parts, which a proxy has not. */
function member(target: object, property: string | symbol): unknown {
  const found: unknown = Reflect.get(target, property, target);
  return typeof found === "function" ? found.bind(target) : found;
}

function isMethod(found: unknown): found is (...given: unknown[]) => unknown {
  return typeof found === "function";
}

function limitIn(given: readonly unknown[]): number | undefined {
  const options = given.at(-1);
  if (typeof options !== "object" || options === null || !("maxTimeMS" in options)) return undefined;
  return typeof options.maxTimeMS === "number" ? options.maxTimeMS : undefined;
}
