import {
  type ClientSession,
  connectDocumentStore,
  DeletedOrganisations,
  type DocumentStore,
  IdempotencyStore,
  type IndexPlan,
  type Migration,
  Outbox,
  openSchema,
  withTransaction,
} from "@aiplatform/document-store";
import {
  connectEventStream,
  createRefusalReporter,
  type EventStream,
  type EventStreamOptions,
  outboxSource,
  startRelay,
  streamOf,
} from "@aiplatform/event-stream";
import {
  acceptsMissingAssertions,
  type Callers,
  createLogger,
  currentCause,
  type HostConfig,
  openServiceKeys,
  type Platform,
  type RunningService,
  type ServiceDefinition,
  type ServiceParts,
  startService,
} from "@aiplatform/service-host";
import type { ServiceKeys } from "@aiplatform/service-keys";
import { evictChangedCredentials } from "./evict-changed-credentials.ts";
import { consumeDeletedOrganisations } from "./organisation-purge/deleted-organisation-consumer.ts";
import { OrganisationPurges } from "./organisation-purge/organisation-purges.ts";
import { type PurgeParts, startOrganisationPurge } from "./organisation-purge/start-organisation-purge.ts";
import type { DomainConfig } from "./settings.ts";
import { storeErrors } from "./store-errors.ts";
import { startWorker } from "./worker.ts";

/** How soon it is noticed that the replicas of an earlier version have ended. */
const schemaPauses = { pauseMs: 5_000, maxPauseMs: 60_000 };

/** What operations write with. */
export interface DomainStores {
  readonly outbox: Outbox;
  /** Answers of requests that were sent with an idempotency key. */
  readonly idempotency: IdempotencyStore;
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  readonly transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
}

/** What a service builds itself from: the host's platform, its database and the event stream. */
export interface DomainPlatform extends Platform, DomainStores {
  readonly store: DocumentStore;
  readonly stream: EventStream;
  /** Signs as this service, and tells what other services have signed. */
  readonly keys: ServiceKeys;
  /** Of organisations that are deleted. */
  readonly purges: OrganisationPurges;
  /** Owns what the service starts: it is disposed in reverse order once the last call is over. */
  readonly parts: AsyncDisposableStack;
}

/** What a service adds to what every service has. */
export interface DomainServiceParts extends Pick<ServiceParts, "routes" | "drain"> {
  /** What it can do without for a while, besides NATS: in `/readyz` and as `dependency_up`. */
  readonly dependencies?: ServiceParts["dependencies"];
  /** What it does for an organisation that is deleted; the documents of its `indexes` are removed in any case. */
  readonly purge: PurgeParts;
}

export interface DomainService extends Pick<ServiceDefinition, "name" | "services"> {
  readonly config: HostConfig & DomainConfig;
  /** Its own failures; those of the database are declared for all services. */
  readonly errors: ServiceDefinition["errors"];
  /** Its collections with their indexes; those of the kit come by themselves. */
  readonly indexes: readonly IndexPlan[];
  /** How the documents of earlier versions become those of this one, in order. Default: none are needed. */
  readonly migrations?: readonly Migration[];
  /** Default: asked of identity at IDENTITY_ADDRESS. */
  readonly callers?: Callers | undefined;
  /** Default: the database's, which is the same for every replica. */
  readonly clock?: (() => Date) | undefined;
  /** Whether the service makes room in a full stream. Default false: one service does. */
  readonly makesRoom?: EventStreamOptions["makesRoom"];
  /** Whether the service itself deletes organisations. Default false: it hears of that by events; one service does. */
  readonly deletesOrganisations?: boolean;
  readonly start: (platform: DomainPlatform) => Promise<DomainServiceParts> | DomainServiceParts;
}

/**
 * Starts a service that owns a database and publishes events: document store, outbox with relay, event stream, audit of
 * refusals, eviction of changed credentials and health checks. @throws whatever stopped it, after closing what was open.
 */
export async function startDomainService(service: DomainService): Promise<RunningService> {
  const { name, config, services, callers } = service;
  const logger = createLogger({ service: name, level: config.LOG_LEVEL });
  const keys = openServiceKeys(config, { service: name, logger });
  try {
    return await startService({
      ...{ name, config, services, logger, keys },
      errors: new Map([...storeErrors, ...service.errors]),
      acceptsMissingAssertions: acceptsMissingAssertions(config),
      ...(callers ? { callers } : {}),
      start: (platform) => startParts(service, platform, keys),
    });
  } catch (error) {
    keys[Symbol.dispose]();
    throw error;
  }
}

async function startParts(service: DomainService, platform: Platform, keys: ServiceKeys): Promise<ServiceParts> {
  await using parts = new AsyncDisposableStack();
  parts.use(keys);
  const { store, schema, stream } = await open(service, { ...platform, keys }, parts);
  const { logger, meter } = platform;
  const { clock = store.now } = service;
  const stores = {
    outbox: new Outbox(store, { cause: currentCause }),
    idempotency: new IdempotencyStore(store, { clock }),
    transaction: <R>(work: (session: ClientSession) => Promise<R>) => withTransaction(store, work),
  };
  const refusals = parts.use(createRefusalReporter(stream, { logger, meter }));
  parts.use(evictChangedCredentials(stream, platform));
  parts.use(startRelay({ source: outboxSource(store), stream, logger, meter, service: service.name }));
  const { pauseMs, maxPauseMs } = schemaPauses;
  parts.use(startWorker(platform, { name: "schema", pauseMs, maxPauseMs, round: () => schema.round() }));
  const purges = new OrganisationPurges(store);
  const domain = { ...platform, ...stores, clock, store, stream, keys, purges, parts };
  const own = await service.start(domain);
  const settleMs = service.config.PURGE_SETTLE_MS;
  parts.use(startOrganisationPurge(domain, { ...own.purge, indexes: allIndexes(service), settleMs }));
  if (!service.deletesOrganisations) parts.use(consumeDeletedOrganisations(domain, service.name));
  const owned = parts.move();
  return {
    routes: own.routes,
    checks: { mongodb: (signal) => store.ping(signal), schema: async () => schema.assertReadable() },
    dependencies: { nats: () => stream.ping(), ...own.dependencies },
    refusals: (refused) => refusals.report(refused),
    ...(own.drain ? { drain: own.drain } : {}),
    close: [{ name: "consumers, relay and stores closed", run: () => owned.disposeAsync() }],
  };
}

async function open(service: DomainService, platform: Platform & { keys: ServiceKeys }, parts: AsyncDisposableStack) {
  const { name, config, makesRoom = false } = service;
  const { logger, signal, meter, tracer, keys } = platform;
  const { MONGODB_URI: uri, MONGODB_PASSWORD: password, MONGODB_DATABASE: database } = config;
  const observed = { logger, meter, tracer };
  const store = parts.use(await connectDocumentStore({ uri, password, database, appName: name, signal, ...observed }));
  const declared = { indexes: allIndexes(service), migrations: service.migrations ?? [] };
  const schema = parts.use(await openSchema(store, declared, { logger, signal }));
  const trust = { keys, store, clock: store.now };
  const stream = parts.use(await connectEventStream({ ...streamOf(config), ...trust, makesRoom, name, ...observed }));
  return { store, schema, stream };
}

function allIndexes({ indexes }: Pick<DomainService, "indexes">): readonly IndexPlan[] {
  return [...indexes, Outbox.indexes, IdempotencyStore.indexes, DeletedOrganisations.indexes];
}
