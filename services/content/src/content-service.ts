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
import { startAutomationParts } from "./automation-runs/automation-parts.ts";
import { forgetRuns } from "./automation-runs/deleted-automation-consumer.ts";
import { startRunsOnEvents } from "./automation-runs/trigger-consumer.ts";
import { automationRoutes } from "./automations/automation-rpc.ts";
import { Delegations } from "./automations/delegate-steps.ts";
import type { ContentConfig } from "./config.ts";
import { boundHistories } from "./data-dictionaries/bound-histories.ts";
import { dataDictionaryRoutes } from "./data-dictionaries/data-dictionary-rpc.ts";
import { forgetHistories } from "./data-dictionaries/history-consumer.ts";
import { datasetRoutes } from "./datasets/dataset-rpc.ts";
import type { ContentDependencies } from "./dependencies.ts";
import { emailDraftRoutes } from "./email-drafts/email-draft-rpc.ts";
import { startEmailParts } from "./email-drafts/email-parts.ts";
import { contentErrors } from "./errors.ts";
import { featureMemoryRoutes } from "./feature-memory/feature-memory-rpc.ts";
import { tellOwnersOfAutomations } from "./feature-memory/owner-consumer.ts";
import { endUsesOfWorkspaces } from "./feature-memory/workspace-consumer.ts";
import { KnownMembers } from "./known-members.ts";
import { repeat } from "./repeated-work.ts";
import { contentIndexes, createStores } from "./stores.ts";
import { startTasks } from "./tasks/start-tasks.ts";

const prefix = "aiplatform.content.v1.";
const contentServices = services.filter(({ typeName }) => typeName.startsWith(prefix));

/** What may be given instead of the real thing: a clock, and how callers are known. */
export interface ContentOverrides {
  clock?: () => Date;
  callers?: Callers;
}

/** Starts content. Rejects with one sentence when a setting or the database will not do. */
export function startContentService(config: ContentConfig, overrides: ContentOverrides = {}): Promise<RunningService> {
  return startService({
    name: "content",
    config,
    services: contentServices,
    errors: contentErrors,
    ...(overrides.callers ? { callers: overrides.callers } : {}),
    start: (platform) => startParts(config, overrides.clock ? { ...platform, clock: overrides.clock } : platform),
  });
}

async function startParts(config: ContentConfig, platform: Platform): Promise<ServiceParts> {
  const { logger, clock, newId, signal, meter, tracer } = platform;
  await using parts = new AsyncDisposableStack();
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = config;
  const store = parts.use(
    await connectDocumentStore({ uri, database, appName: "content", logger, signal, meter, tracer }),
  );
  const outbox = new Outbox(store, { cause: currentCause });
  await createIndexes(store, contentIndexes);
  const base = {
    ...createStores(store),
    outbox,
    tasks: parts.use(startTasks(config, { logger, meter })),
    replays: new ReplayStore(store, { clock }),
    transaction: <R>(work: (session: ClientSession) => Promise<R>) => withTransaction(store, work),
    clock,
    newId,
  };
  const emails = startEmailParts(config, platform, base);
  parts.use(emails.sendings);
  const draining = new AbortController();
  const members = new KnownMembers(() => platform.peers(config.IDENTITY_ADDRESS));
  const delegations = new Delegations({
    identity: () => platform.peers(config.IDENTITY_ADDRESS),
    secret: config.DELEGATION_SECRET,
    newId,
    logger,
  });
  const beneath = { ...base, ...emails, members, delegations, draining: draining.signal };
  const automations = startAutomationParts(config, platform, beneath);
  parts.use(automations.prompts);
  parts.use(automations.runs);
  const dependencies: ContentDependencies = { ...beneath, ...automations };
  const stream = parts.use(await connectEventStream({ ...streamOf(config), name: "content", logger, meter, tracer }));
  parts.use(startRelay({ source: outboxSource(store), stream, logger, meter }));
  parts.use(evictChangedCredentials(stream, platform));
  parts.use(forgetHistories({ stream, ...dependencies }));
  parts.use(forgetRuns({ stream, ...dependencies }));
  parts.use(startRunsOnEvents({ stream, ...dependencies }));
  const failed = (error: unknown, name: string) =>
    logger.warn({ err: error }, `${name} failed, and will be tried again`);
  const bounding = { name: "bounding histories", pauseMs: 60_000, work: () => boundHistories(dependencies) };
  parts.use(repeat({ ...bounding, until: signal, failed, tracer }));
  parts.use(endUsesOfWorkspaces({ stream, store, ...dependencies }));
  parts.use(tellOwnersOfAutomations({ stream, store, ...dependencies }));
  const refusals = parts.use(createRefusalReporter(stream, { logger, meter }));
  const owned = parts.move();
  return {
    routes: (router) => {
      datasetRoutes(router, dependencies);
      dataDictionaryRoutes(router, dependencies);
      featureMemoryRoutes(router, dependencies);
      emailDraftRoutes(router, dependencies);
      automationRoutes(router, dependencies);
    },
    checks: { mongodb: (checkSignal) => store.ping(checkSignal) },
    dependencies: { nats: () => stream.ping() },
    refusals: (refused) => refusals.report(refused),
    drain: async () => draining.abort(),
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
