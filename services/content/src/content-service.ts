import { services } from "@aiplatform/contract/services";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService, startWorker } from "@aiplatform/service-kit";
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
  return startDomainService({
    name: "content",
    config,
    services: contentServices,
    errors: contentErrors,
    indexes: contentIndexes,
    ...overrides,
    start: (platform) => startParts(config, platform),
  });
}

function startParts(config: ContentConfig, platform: DomainPlatform): DomainServiceParts {
  const { logger, clock, newId, meter, parts, store, stream, outbox, replays, transaction } = platform;
  const base = {
    ...createStores(store),
    outbox,
    tasks: parts.use(startTasks(config, { logger, meter })),
    replays,
    transaction,
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
  parts.use(forgetHistories({ stream, ...dependencies }));
  parts.use(forgetRuns({ stream, ...dependencies }));
  parts.use(startRunsOnEvents({ stream, ...dependencies }));
  const bounding = { name: "history-bounds", pauseMs: 60_000, isTraced: true, signal: platform.signal };
  parts.use(startWorker(platform, { ...bounding, round: () => boundHistories(dependencies) }));
  parts.use(endUsesOfWorkspaces({ stream, store, ...dependencies }));
  parts.use(tellOwnersOfAutomations({ stream, store, ...dependencies }));
  return {
    routes: (router) => {
      datasetRoutes(router, dependencies);
      dataDictionaryRoutes(router, dependencies);
      featureMemoryRoutes(router, dependencies);
      emailDraftRoutes(router, dependencies);
      automationRoutes(router, dependencies);
    },
    drain: async () => draining.abort(),
  };
}
