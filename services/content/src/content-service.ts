import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { services } from "@aiplatform/contract/services";
import { followOrganisationLimits } from "@aiplatform/quotas";
import { ServiceSearch } from "@aiplatform/search";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService, startWorker } from "@aiplatform/service-kit";
import { automationRunMethods } from "./automation-engine/automation-run-rpc.ts";
import { forgetRuns } from "./automation-engine/deleted-automation-consumer.ts";
import { startAutomationEngine } from "./automation-engine/start-automation-engine.ts";
import { startScheduler } from "./automation-engine/start-scheduler.ts";
import { startRunsOnEvents } from "./automation-engine/trigger-consumer.ts";
import { Delegations } from "./automation-steps/delegations.ts";
import { automationDraftMethods } from "./automations/automation-draft-rpc.ts";
import { automationMethods } from "./automations/automation-rpc.ts";
import { notifyOwnersOfDeprecations } from "./automations/deprecation-consumer.ts";
import type { ContentConfig } from "./config.ts";
import { contentQuotas } from "./content-quotas.ts";
import { boundHistories } from "./data-dictionaries/bound-histories.ts";
import { dataDictionaryRoutes } from "./data-dictionaries/data-dictionary-rpc.ts";
import { forgetHistories } from "./data-dictionaries/history-consumer.ts";
import { datasetMarkRoutes } from "./datasets/dataset-mark-rpc.ts";
import { datasetRoutes } from "./datasets/dataset-rpc.ts";
import { DeploymentsUsingDataset } from "./datasets/deployments-using-dataset.ts";
import { emailDraftRoutes } from "./email-drafts/email-draft-rpc.ts";
import { startEmailDelivery } from "./email-drafts/start-email-delivery.ts";
import { contentErrors } from "./errors.ts";
import { endUsesOfDeployments, endUsesOfWorkspaces } from "./feature-memory/deleted-asset-consumers.ts";
import { featureRoutes } from "./feature-memory/feature-rpc.ts";
import { KnownAssets } from "./feature-memory/known-assets.ts";
import { KnownMembers } from "./known-members.ts";
import { purgeOfContent } from "./organisation-purge.ts";
import { OtherServices } from "./other-services.ts";
import { quotaRoutes } from "./quotas/quota-rpc.ts";
import { QuotasElsewhere } from "./quotas/quotas-elsewhere.ts";
import { SearchElsewhere } from "./search/search-elsewhere.ts";
import { contentSearches, searchRoutes } from "./search/search-rpc.ts";
import { contentIndexes, contentMigrations, createStores } from "./stores.ts";
import { consumeSuspensions } from "./suspended-organisations/suspension-consumer.ts";
import { startTasks } from "./tasks/start-tasks.ts";

const prefix = "aiplatform.content.v1.";
const contentServices = services.filter(({ typeName }) => typeName.startsWith(prefix));

/** What may be given instead of the real thing: a clock, and how callers are known. */
export interface ContentOverrides {
  clock?: () => Date;
  callers?: Callers;
}

/** Starts content. @throws Error with one sentence when a setting is invalid, or the database cannot be used */
export function startContentService(config: ContentConfig, overrides: ContentOverrides = {}): Promise<RunningService> {
  return startDomainService({
    name: "content",
    config,
    services: contentServices,
    errors: contentErrors,
    indexes: contentIndexes,
    migrations: contentMigrations,
    ...overrides,
    start: (platform) => startContent(config, platform),
  });
}

function startContent(config: ContentConfig, platform: DomainPlatform): DomainServiceParts {
  const { logger, clock, newId, meter, parts, store, stream, outbox, idempotency, transaction, purges } = platform;
  const identity = () => platform.peers(config.IDENTITY_ADDRESS);
  const stores = createStores(store);
  const others = new OtherServices(platform.peers, {
    identity: config.IDENTITY_ADDRESS,
    training: config.TRAINING_ADDRESS,
    deployments: config.DEPLOYMENTS_ADDRESS,
    data: config.DATA_ADDRESS,
  });
  const base = {
    ...stores,
    quotas: contentQuotas(store, stores, config),
    ...{ outbox, idempotency, transaction, clock, newId, now: store.now },
    waitingOrganisations: async () =>
      new Set([...(await stores.suspendedOrganisations.all()), ...(await purges.underWay())]),
    tasks: parts.use(startTasks(config, { logger, meter })),
    members: new KnownMembers(identity),
    deploymentsUsingDataset: new DeploymentsUsingDataset(platform.peers, config.DEPLOYMENTS_ADDRESS),
    knownAssets: new KnownAssets(others),
    quotasElsewhere: new QuotasElsewhere(others),
    ownSearch: new ServiceSearch(platform.store, contentSearches),
    searchElsewhere: new SearchElsewhere(others),
    delegations: new Delegations({ identity, newId, logger }, config.DELEGATION_SECRET),
  };
  const emails = startEmailDelivery(config, platform, base);
  parts.use(emails.deliveryWorker);
  const engine = startAutomationEngine(config, platform, base);
  parts.use(engine.promptApi);
  parts.use(engine.runWorker);
  parts.use(startScheduler(config, platform, { ...base, ...engine }));
  const draining = new AbortController();
  const dependencies = { ...base, ...emails, ...engine, stream, store, draining: draining.signal };
  startConsumers(platform, dependencies);
  followOrganisationLimits(platform, { ...base, service: "content", identity: config.IDENTITY_ADDRESS });
  return {
    routes: (router) => {
      datasetRoutes(router, dependencies);
      datasetMarkRoutes(router, dependencies);
      dataDictionaryRoutes(router, dependencies);
      featureRoutes(router, dependencies);
      emailDraftRoutes(router, dependencies);
      quotaRoutes(router, dependencies);
      searchRoutes(router, dependencies);
      router.service(AutomationService, {
        ...automationMethods(dependencies),
        ...automationDraftMethods(dependencies),
        ...automationRunMethods(dependencies),
      });
    },
    drain: async () => draining.abort(),
    purge: purgeOfContent(base),
  };
}

type ConsumerDependencies = Parameters<typeof forgetHistories>[0] &
  Parameters<typeof forgetRuns>[0] &
  Parameters<typeof startRunsOnEvents>[0] &
  Parameters<typeof endUsesOfWorkspaces>[0] &
  Parameters<typeof notifyOwnersOfDeprecations>[0] &
  Parameters<typeof boundHistories>[0] &
  Parameters<typeof consumeSuspensions>[0];

function startConsumers({ parts, signal, ...observed }: DomainPlatform, dependencies: ConsumerDependencies): void {
  parts.use(consumeSuspensions(dependencies));
  parts.use(forgetHistories(dependencies));
  parts.use(forgetRuns(dependencies));
  parts.use(startRunsOnEvents(dependencies));
  parts.use(endUsesOfWorkspaces(dependencies));
  parts.use(endUsesOfDeployments(dependencies));
  parts.use(notifyOwnersOfDeprecations(dependencies));
  const bounding = { name: "history-bounds", pauseMs: 60_000, isTraced: true, signal };
  parts.use(startWorker(observed, { ...bounding, round: () => boundHistories(dependencies) }));
}
