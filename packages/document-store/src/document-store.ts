import { setTimeout as delay } from "node:timers/promises";
import type { Measuring } from "@aiplatform/telemetry";
import { type Db, MongoClient, type MongoClientOptions, MongoServerError } from "mongodb";
import { asStoreError, isStoreUnavailable, StoreUnavailableError, UnsuitableStoreError } from "./errors.ts";
import { guardedDatabase } from "./guarded-database.ts";
import { IndexNames } from "./index-name.ts";
import { type Logger, silentLogger } from "./logger.ts";
import { observeClient } from "./observe-client.ts";
import { ServerClock } from "./server-clock.ts";
import { StoreBreaker } from "./store-breaker.ts";

/** One service's own database. */
export interface DocumentStore extends AsyncDisposable {
  readonly client: MongoClient;
  /** Its collections ask the breaker before every call. */
  readonly database: Db;
  readonly breaker: StoreBreaker;
  /** For queries that name an index. */
  readonly indexNames: IndexNames;
  /** The time of the database: the same for every replica, however wrong its own clock is. */
  readonly now: () => Date;
  /** Resolves when the primary answered; rejects with {@link StoreUnavailableError}. Meant for readiness. */
  ping(signal?: AbortSignal): Promise<void>;
  /** Ends every connection; calls under way fail. */
  close(): Promise<void>;
}

/** How to reach the database. */
export interface DocumentStoreOptions extends Measuring {
  /** `mongodb://…`; never logged, because it may hold a password. */
  uri: string;
  /** Of the user that is called like the database. Default: the login in the address, or none. */
  password?: string | undefined;
  database: string;
  /** Shows up in the server's log and in `currentOp`. */
  appName: string;
  logger?: Logger;
  /** How long to wait for the server at start, ms. Default 60 000. After that the start fails with a sentence. */
  waitMs?: number;
  /** Longest a call may take while the database does not answer pings, ms; three times as long while it does. Default 3 000. */
  callTimeoutMs?: number;
  /** Ends the wait at start. */
  signal?: AbortSignal;
}

const defaultWaitMs = 60_000;
const defaultCallTimeoutMs = 3_000;
// A planned change of the primary takes less; after that the breaker refuses.
const selectionTimeoutMs = 2_000;
const waitQueueTimeoutMs = 5_000;
const connectTimeoutMs = 3_000;
// The monitor notices a hung server after this and the time to connect, and ends its connections.
const heartbeatMs = 5_000;
// Frees the connection of a call that was given up.
const silenceMs = 10_000;
const pauseBetweenAttemptsMs = 500;
// MongoDB 6.0; what the platform is tested with.
const oldestWireVersion = 17;
const authenticationFailures: ReadonlySet<unknown> = new Set([13, 18]);

/**
 * Connects and waits until the server is there, saying so every few seconds.
 * Every write is acknowledged by a majority and in the journal; every read sees majority-committed data.
 * Throws {@link UnsuitableStoreError} at once for a server that can never do, {@link StoreUnavailableError} when the wait is over.
 */
export async function connectDocumentStore(options: DocumentStoreOptions): Promise<DocumentStore> {
  const { client, clock } = newClient(options);
  const database = client.db(options.database);
  try {
    await waitForServer(database, options);
  } catch (error) {
    await client.close();
    throw error;
  }
  const { logger, meter, callTimeoutMs = defaultCallTimeoutMs } = options;
  const breaker = new StoreBreaker({ client, openProbe: () => newProbe(options), logger, meter, callTimeoutMs });
  const close = async () => {
    await breaker[Symbol.asyncDispose]();
    await client.close();
  };
  return {
    client,
    database: guardedDatabase(database, breaker),
    breaker,
    indexNames: new IndexNames(),
    now: clock.now,
    ping: (signal) => ping(database, signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The user of one database, whom the server keeps in `admin`. */
function loginOf({ database, password }: Pick<DocumentStoreOptions, "database" | "password">): MongoClientOptions {
  return password === undefined ? {} : { auth: { username: database, password }, authSource: "admin" };
}

function newClient(options: DocumentStoreOptions): { client: MongoClient; clock: ServerClock } {
  const { uri, appName, meter, tracer } = options;
  try {
    const client = new MongoClient(uri, {
      monitorCommands: meter !== undefined || tracer !== undefined,
      appName,
      ...loginOf(options),
      writeConcern: { w: "majority", journal: true },
      readConcern: { level: "majority" },
      retryWrites: true,
      serverSelectionTimeoutMS: selectionTimeoutMs,
      connectTimeoutMS: connectTimeoutMs,
      waitQueueTimeoutMS: waitQueueTimeoutMs,
      heartbeatFrequencyMS: heartbeatMs,
      // Streaming asks twice as often, over a second connection: what it would tell sooner, the call that fails tells as well.
      serverMonitoringMode: "poll",
      // The driver's `timeoutMS` has no effect in this version: the breaker bounds each call.
      socketTimeoutMS: silenceMs,
      ignoreUndefined: true,
    });
    const clock = ServerClock.of(client);
    observeClient(client, clock, { meter, tracer });
    return { client, clock };
  } catch {
    // Without the cause: the parser's own text may repeat the address, password included.
    throw new UnsuitableStoreError("MONGODB_URI is not a MongoDB address (mongodb://host:port/…)");
  }
}

function newProbe({ uri, appName, ...login }: DocumentStoreOptions): MongoClient {
  const timeouts = {
    serverSelectionTimeoutMS: selectionTimeoutMs,
    socketTimeoutMS: connectTimeoutMs,
    connectTimeoutMS: connectTimeoutMs,
  };
  return new MongoClient(uri, {
    appName: `${appName}-probe`,
    maxPoolSize: 1,
    minPoolSize: 0,
    ...timeouts,
    ...loginOf(login),
  });
}

async function waitForServer(database: Db, options: DocumentStoreOptions): Promise<void> {
  const { logger = silentLogger, waitMs = defaultWaitMs, signal } = options;
  const address = database.client.options.hosts.join(", ") || "the configured address";
  const deadline = performance.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const failure = await assertSuitable(database, address).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    if (!isStoreUnavailable(failure)) throw failure;
    const sentence = `MongoDB at ${address} does not answer as a replica set with a primary`;
    const remainingMs = Math.round(deadline - performance.now());
    logger.warn({ remainingMs: Math.max(0, remainingMs) }, sentence);
    if (remainingMs <= 0) {
      throw new StoreUnavailableError(`${sentence}; gave up after ${Math.round(waitMs / 1000)} s`, { cause: failure });
    }
    await delay(pauseBetweenAttemptsMs, undefined, signal ? { signal } : {});
  }
}

async function assertSuitable(database: Db, address: string): Promise<void> {
  let hello: Record<string, unknown>;
  try {
    // Asked each time: a driver that could not connect once stays closed to every command until it is told to.
    await database.client.connect();
    hello = await database.command({ hello: 1 });
    // `hello` needs no login: the ping shows that ours is accepted.
    await database.command({ ping: 1 });
  } catch (error) {
    if (error instanceof MongoServerError && authenticationFailures.has(error.code)) {
      throw new UnsuitableStoreError(`MongoDB at ${address} refuses the user name or password`, { cause: error });
    }
    throw asStoreError(error);
  }
  if (hello["setName"] === undefined && hello["msg"] !== "isdbgrid") {
    throw new UnsuitableStoreError(
      `MongoDB at ${address} is a standalone server; start it as a replica set (one member is enough: --replSet rs0, then rs.initiate())`,
    );
  }
  if (Number(hello["maxWireVersion"]) < oldestWireVersion) {
    throw new UnsuitableStoreError(`MongoDB at ${address} is older than 6.0`);
  }
}

async function ping(database: Db, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () =>
    reject(new StoreUnavailableError("the database did not answer in time", { cause: signal?.reason }));
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([database.command({ ping: 1 }), aborted]);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
