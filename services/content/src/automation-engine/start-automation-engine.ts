import type { Platform } from "@aiplatform/service-host";
import { ClaimingWorker } from "@aiplatform/service-kit";
import { createInstruments } from "@aiplatform/telemetry";
import type { Delegations } from "../automation-steps/delegations.ts";
import { PromptApi } from "../automation-steps/prompt-api.ts";
import { ServiceClients } from "../automation-steps/service-clients.ts";
import type { ContentConfig } from "../config.ts";
import { workMetrics } from "../content-metrics.ts";
import type { AutomationRun } from "./automation-run.ts";
import { RunExecutor, type RunExecutorDependencies } from "./run-executor.ts";
import { StepAuthorizer } from "./step-authorizer.ts";
import { type OwnServicesDependencies, ownServices } from "./step-services.ts";

type EnginePlatform = Pick<Platform, "logger" | "peers" | "exchange" | "clock" | "meter" | "tracer">;

/** What the engine works with, besides what it makes for itself. */
export interface AutomationEngineDependencies
  extends Omit<RunExecutorDependencies, keyof EnginePlatform | "services" | "authorizer" | "ended" | "tasks">,
    OwnServicesDependencies {
  delegations: Delegations;
  /** Organisations whose work waits. */
  waitingOrganisations: () => Promise<ReadonlySet<string>>;
  tasks: RunExecutorDependencies["tasks"] & OwnServicesDependencies["tasks"];
}

/** What executes automations. */
export interface AutomationEngine {
  promptApi: PromptApi;
  runWorker: ClaimingWorker<AutomationRun>;
  authorizer: StepAuthorizer;
}

/** Starts the engine as the settings say; runs whose holders are gone are taken over from now on. */
export function startAutomationEngine(
  config: ContentConfig,
  platform: EnginePlatform,
  dependencies: AutomationEngineDependencies,
): AutomationEngine {
  const { logger, peers: connect, meter, tracer } = platform;
  const { delegations } = dependencies;
  const retryMs = config.AUTOMATION_RETRY_MS;
  const promptApi = new PromptApi({
    url: config.PROMPT_API_URL,
    key: config.PROMPT_API_KEY,
    model: config.PROMPT_MODEL,
    allowedNetworks: config.PROMPT_ALLOWED_NETWORKS,
    timeoutMs: config.PROMPT_TIMEOUT_MS,
    retryMs,
  });
  const clients = new ServiceClients(connect, {
    training: config.TRAINING_ADDRESS,
    deployments: config.DEPLOYMENTS_ADDRESS,
    data: config.DATA_ADDRESS,
  });
  const authorizer = new StepAuthorizer(platform, { delegations, identity: config.IDENTITY_ADDRESS });
  const services = { ...ownServices(dependencies), promptApi, clients, delegations };
  const { automation_runs_total } = createInstruments(meter, {
    automation_runs_total: workMetrics.automation_runs_total,
  });
  const ended: RunExecutorDependencies["ended"] = (status) => automation_runs_total.add(1, { status });
  const executing = { ...dependencies, services, authorizer, logger, ended };
  const runWorker = new ClaimingWorker<AutomationRun>(
    { logger, tracer, meter },
    {
      name: "automation-runs",
      leases: dependencies.automationRuns.leases,
      waitingOrganisations: dependencies.waitingOrganisations,
      leaseMs: config.AUTOMATION_LEASE_MS,
      concurrency: config.AUTOMATION_RUNS_AT_ONCE,
      run: ({ work, holder }, signal) => new RunExecutor(executing, work, { retryMs, holder, signal }).execute(),
    },
  );
  return { promptApi, runWorker, authorizer };
}
