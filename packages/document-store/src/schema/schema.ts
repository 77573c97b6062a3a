import { randomUUIDv7 } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { DocumentStore } from "../document-store.ts";
import { type Logger, silentLogger } from "../logger.ts";
import { fingerprintOf } from "./index-changes.ts";
import type { IndexPlan } from "./index-plan.ts";
import {
  createOtherIndexes,
  createRequiredIndexes,
  dropReplacedIndexes,
  type IndexWait,
  persistently,
} from "./indexes.ts";
import {
  type Migration,
  type MigrationStep,
  migrationRules,
  neededToServe,
  nextStep,
  SchemaTooNewError,
  schemaVersionOf,
} from "./migration.ts";
import {
  type RunningStep,
  type SchemaReplica,
  SchemaStore,
  type StoredSchema,
  schemaCollection,
} from "./schema-store.ts";

/** What a version of a service declares of its database. */
export interface SchemaDeclaration {
  indexes: readonly IndexPlan[];
  migrations: readonly Migration[];
}

export interface SchemaOptions extends Pick<IndexWait, "logger" | "signal"> {
  /** After that long without a sign of life, a replica counts as ended, ms. Default 60 000. */
  replicaLeaseMs?: number;
  /** After that long without a batch, another replica goes on with a migration, ms. Default 15 000. */
  stepLeaseMs?: number;
  /** Documents that a batch may read. Default 500. */
  batchSize?: number;
}

const defaultReplicaLeaseMs = 60_000;
const defaultStepLeaseMs = 15_000;
const defaultBatchSize = 500;
const pauseMs = 500;
const progressEveryMs = 10_000;

/**
 * Brings a database to what a service declares: the indexes that it needs and the migrations without which it cannot answer before this
 * resolves, the rest by {@link Schema.round}. There is no limit in time; the log tells how far it is.
 * @throws SchemaTooNewError when a later version has left what this one cannot read
 */
export async function openSchema(
  store: DocumentStore,
  declaration: SchemaDeclaration,
  options: SchemaOptions = {},
): Promise<Schema> {
  const schema = new Schema(store, declaration, options);
  try {
    await schema.prepare();
    return schema;
  } catch (error) {
    await schema[Symbol.asyncDispose]();
    throw error;
  }
}

/** The schema of a service's database, kept by one replica of it. */
export class Schema implements AsyncDisposable {
  readonly #store: DocumentStore;
  readonly #declaration: SchemaDeclaration;
  readonly #options: Required<Omit<SchemaOptions, "signal" | "logger">>;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  readonly #stored: SchemaStore;
  readonly #replica: SchemaReplica;
  #renewing: NodeJS.Timeout | undefined;
  #renewal: Promise<void> = Promise.resolve();
  #failure: SchemaTooNewError | undefined;
  #hasOtherIndexes = false;
  #isTidy = false;
  #isWaiting = false;

  constructor(store: DocumentStore, declaration: SchemaDeclaration, options: SchemaOptions) {
    const { logger = silentLogger, signal, ...limits } = options;
    this.#store = store;
    this.#declaration = declaration;
    this.#logger = logger;
    this.#signal = signal ? AbortSignal.any([signal, this.#stopping.signal]) : this.#stopping.signal;
    this.#options = {
      replicaLeaseMs: limits.replicaLeaseMs ?? defaultReplicaLeaseMs,
      stepLeaseMs: limits.stepLeaseMs ?? defaultStepLeaseMs,
      batchSize: limits.batchSize ?? defaultBatchSize,
    };
    this.#stored = new SchemaStore(store);
    const version = schemaVersionOf(declaration.migrations);
    this.#replica = { id: randomUUIDv7(), version, indexes: fingerprintOf(declaration.indexes) };
  }

  /** What has to be so before the service answers. */
  async prepare(): Promise<void> {
    const { replicaLeaseMs } = this.#options;
    const wait = { logger: this.#logger, signal: this.#signal };
    const registered = () => this.#stored.renew(this.#replica, replicaLeaseMs);
    await persistently(this.#store, { ...wait, collection: schemaCollection }, registered);
    const renew = () => {
      this.#renewal = this.#renew();
    };
    this.#renewing = setInterval(renew, replicaLeaseMs / 3).unref();
    this.#isTidy = !(await createRequiredIndexes(this.#store, this.#declaration.indexes, wait));
    const prepared = () => this.#migrateUntilPrepared();
    await persistently(this.#store, { ...wait, collection: schemaCollection }, prepared);
  }

  /** Does some of what may be done while the service answers. Answers whether there may be more to do now. */
  async round(): Promise<boolean> {
    this.assertReadable();
    const { indexes } = this.#declaration;
    const wait = { logger: this.#logger, signal: this.#signal };
    if (!this.#hasOtherIndexes) await createOtherIndexes(this.#store, indexes, wait);
    this.#hasOtherIndexes = true;
    const state = await this.#stored.read();
    if (await this.#step(state)) return true;
    if (
      state.replicas.some((replica) => replica.indexes !== this.#replica.indexes) ||
      (await this.#earlierRuns(state))
    ) {
      this.#isTidy = false;
      this.#reportOnce();
      return false;
    }
    if (!this.#isTidy) await dropReplacedIndexes(this.#store, indexes, wait);
    this.#isTidy = true;
    this.#isWaiting = false;
    return false;
  }

  /** @throws SchemaTooNewError when this replica was silent, and others have meanwhile left what it cannot read */
  assertReadable(): void {
    if (this.#failure) throw this.#failure;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#renewing);
    await this.#renewal;
    // Without it the lease expires.
    await this.#stored.release(this.#replica.id).catch(() => undefined);
  }

  async #migrateUntilPrepared(): Promise<void> {
    const needed = neededToServe(this.#declaration.migrations);
    let reportedAt = performance.now();
    for (;;) {
      const state = await this.#stored.read();
      if (state.prepared >= needed) return;
      if (await this.#step(state)) continue;
      if (performance.now() - reportedAt > progressEveryMs) {
        reportedAt = performance.now();
        const { version, documents } = state.running ?? {};
        this.#logger.info(
          { migration: version, documents, needed },
          "waiting for a migration that another replica runs",
        );
      }
      await delay(pauseMs, undefined, { signal: this.#signal });
    }
  }

  /** Answers whether this replica has done something. */
  async #step(state: StoredSchema): Promise<boolean> {
    const { migrations } = this.#declaration;
    if (state.version >= migrations.length) return false;
    const step = nextStep(migrations, state, { earlierRuns: await this.#earlierRuns(state) });
    if (!step) return false;
    const { stepLeaseMs } = this.#options;
    const claimed = await this.#stored.claim(step, this.#replica.id, stepLeaseMs);
    if (!claimed) return false;
    try {
      return await this.#run(step, claimed);
    } catch (error) {
      await this.#stored.abandon(this.#replica.id).catch(() => undefined);
      throw error;
    }
  }

  async #run(step: MigrationStep, claimed: RunningStep): Promise<boolean> {
    const { migration, pass } = step;
    const { name, version, kind } = migration;
    const facts = { migration: version, name, pass };
    let { after, documents } = claimed;
    let reportedAt = performance.now();
    // A conversion has nothing to do while replicas run that need the former form.
    for (let isOver = pass === "first" && !migrationRules[kind].isReadByPrevious; !isOver; ) {
      this.#signal.throwIfAborted();
      const work = { store: this.#store, limit: this.#options.batchSize, signal: this.#signal };
      const batch = await migration.batch({ ...work, after: after ?? undefined });
      documents += batch.documents;
      after = batch.after ?? null;
      isOver = batch.after === undefined;
      if (!isOver && !(await this.#stored.advance({ ...claimed, after, documents }, this.#options.stepLeaseMs)))
        return true;
      if (performance.now() - reportedAt <= progressEveryMs) continue;
      reportedAt = performance.now();
      this.#logger.info({ ...facts, documents }, "migrating documents");
    }
    const isCounted = await this.#stored.complete(step, this.#replica.id);
    if (isCounted && documents > 0) this.#logger.info({ ...facts, documents }, "migrated documents");
    return true;
  }

  async #earlierRuns({ replicas }: StoredSchema): Promise<boolean> {
    if (replicas.some(({ version }) => version < this.#replica.version)) return true;
    return await this.#stored.hasUnregistered();
  }

  #reportOnce(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#logger.info({}, "replicas of another version run: what they need is kept until they have ended");
  }

  async #renew(): Promise<void> {
    try {
      await this.#stored.renew(this.#replica, this.#options.replicaLeaseMs);
    } catch (error) {
      // While the database is away, no replica changes anything.
      if (!(error instanceof SchemaTooNewError) || this.#failure) return;
      this.#failure = error;
      this.#logger.warn({ err: error }, "this replica was silent for too long, and is not ready any longer");
    }
  }
}
