import { CredentialChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { services } from "@aiplatform/contract/services";
import {
  type ClientSession,
  connectDocumentStore,
  createIndexes,
  Outbox,
  ReplayStore,
  withTransaction,
} from "@aiplatform/document-store";
import {
  connectEventStream,
  createRefusalReporter,
  decodeEvent,
  type EventStream,
  eventSubject,
  outboxSource,
  startRelay,
  streamOf,
} from "@aiplatform/event-stream";
import {
  type Callers,
  currentCause,
  type Platform,
  type RunningService,
  type ServiceParts,
  startService,
} from "@aiplatform/service-host";
import { openArtifacts } from "./artifacts/artifacts.ts";
import type { DeploymentsConfig } from "./config.ts";
import type { DeploymentsDependencies } from "./dependencies.ts";
import { DeploymentChanges } from "./deployments/deployment-changes.ts";
import { deploymentRoutes } from "./deployments/deployment-rpc.ts";
import { deploymentsErrors } from "./errors.ts";
import { startModelParts } from "./models/model-parts.ts";
import { modelRoutes } from "./models/model-rpc.ts";
import { startRollouts } from "./rollouts/start-rollouts.ts";
import { createStores, deploymentsIndexes } from "./stores.ts";
import { startTasks } from "./tasks/start-tasks.ts";

const prefix = "aiplatform.deployments.v1.";
const deploymentsServices = services.filter(({ typeName }) => typeName.startsWith(prefix));

/** What may be given instead of the real thing: a clock, and how callers are known. */
export interface DeploymentsOverrides {
  clock?: () => Date;
  callers?: Callers;
}

/** Starts deployments. Rejects with one sentence when a setting or the database will not do. */
export function startDeploymentsService(
  config: DeploymentsConfig,
  overrides: DeploymentsOverrides = {},
): Promise<RunningService> {
  return startService({
    name: "deployments",
    config,
    services: deploymentsServices,
    errors: deploymentsErrors,
    ...(overrides.callers ? { callers: overrides.callers } : {}),
    start: (platform) => startParts(config, overrides.clock ? { ...platform, clock: overrides.clock } : platform),
  });
}

async function startParts(config: DeploymentsConfig, platform: Platform): Promise<ServiceParts> {
  const { logger, clock, newId, signal, meter, tracer } = platform;
  await using parts = new AsyncDisposableStack();
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = config;
  const store = parts.use(
    await connectDocumentStore({ uri, database, appName: "deployments", logger, signal, meter, tracer }),
  );
  const outbox = new Outbox(store, { cause: currentCause });
  const tasks = parts.use(startTasks(config, { logger, meter }));
  const kept = openArtifacts(config);
  parts.use(kept.artifacts);
  await createIndexes(store, deploymentsIndexes);
  const stream = parts.use(
    await connectEventStream({ ...streamOf(config), name: "deployments", logger, meter, tracer }),
  );
  const changes = parts.use(new DeploymentChanges(stream));
  const dependencies: DeploymentsDependencies = {
    ...createStores(store),
    ...kept,
    outbox,
    replays: new ReplayStore(store, { clock }),
    transaction: <R>(work: (session: ClientSession) => Promise<R>) => withTransaction(store, work),
    tasks,
    changes,
    environments: config.DEPLOYMENT_ENVIRONMENTS,
    mostPredictionBytes: config.MAX_PREDICTION_BYTES,
    clock,
    newId,
  };
  parts.use(startRelay({ source: outboxSource(store), stream, logger, meter }));
  parts.use(evictChangedCredentials(stream, platform));
  parts.use(startModelParts({ ...dependencies, store, stream, logger, sources: config.ARTIFACT_SOURCES }));
  const rollouts = parts.use(await startRollouts({ ...dependencies, config, store, stream, logger, meter }));
  const refusals = parts.use(createRefusalReporter(stream, { logger, meter }));
  const owned = parts.move();
  return {
    routes: (router) => {
      modelRoutes(router, dependencies);
      deploymentRoutes(router, { ...dependencies, wakeController: rollouts.wake });
    },
    checks: { mongodb: (checkSignal) => store.ping(checkSignal) },
    dependencies: {
      nats: () => stream.ping(),
      artifacts: (checkSignal) => kept.artifacts.ping(checkSignal),
    },
    refusals: (refused) => refusals.report(refused),
    drain: async () => changes.drain(),
    close: [() => owned.disposeAsync()],
  };
}

/** A caller whose rights have changed is asked anew at identity, at once on every replica. */
function evictChangedCredentials(stream: EventStream, { exchange }: Platform): Disposable {
  const listening = stream.listen(eventSubject(CredentialChangedSchema), ({ data }) => {
    exchange?.evict(decodeEvent(CredentialChangedSchema, data));
  });
  return { [Symbol.dispose]: () => listening.close() };
}
