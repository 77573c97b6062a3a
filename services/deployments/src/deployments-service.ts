import { services } from "@aiplatform/contract/services";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService } from "@aiplatform/service-kit";
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
  return startDomainService({
    name: "deployments",
    config,
    services: deploymentsServices,
    errors: deploymentsErrors,
    indexes: deploymentsIndexes,
    ...overrides,
    start: (platform) => startParts(config, platform),
  });
}

async function startParts(config: DeploymentsConfig, platform: DomainPlatform): Promise<DomainServiceParts> {
  const { logger, clock, newId, meter, tracer, parts, store, stream, outbox, replays, transaction } = platform;
  const tasks = parts.use(startTasks(config, { logger, meter }));
  const kept = openArtifacts(config);
  parts.use(kept.artifacts);
  const changes = parts.use(new DeploymentChanges(stream));
  const dependencies: DeploymentsDependencies = {
    ...createStores(store),
    ...kept,
    outbox,
    replays,
    transaction,
    tasks,
    changes,
    environments: config.DEPLOYMENT_ENVIRONMENTS,
    mostPredictionBytes: config.MAX_PREDICTION_BYTES,
    clock,
    newId,
  };
  parts.use(
    startModelParts({ ...dependencies, store, stream, logger, meter, tracer, sources: config.ARTIFACT_SOURCES }),
  );
  const rollouts = parts.use(await startRollouts({ ...dependencies, config, store, stream, logger, meter, tracer }));
  return {
    routes: (router) => {
      modelRoutes(router, dependencies);
      deploymentRoutes(router, { ...dependencies, wakeController: rollouts.wake });
    },
    dependencies: { artifacts: (signal) => kept.artifacts.ping(signal) },
    drain: async () => changes.drain(),
  };
}
