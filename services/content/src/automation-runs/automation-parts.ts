import type { Platform } from "@aiplatform/service-host";
import { createInstruments } from "@aiplatform/telemetry";
import type { ContentConfig } from "../config.ts";
import { workMetrics } from "../content-metrics.ts";
import { AutomationRuns, type AutomationRunsParts } from "./automation-runs.ts";
import { PromptApi } from "./prompt-api.ts";
import type { StepDependencies } from "./step.ts";
import { StepPeers } from "./step-peers.ts";
import { StepPermits } from "./step-permits.ts";

/** What carries automations out. */
export interface AutomationParts {
  prompts: PromptApi;
  /** Where steps train and deploy. */
  peers: StepPeers;
  /** What steps may do. */
  permits: StepPermits;
  runs: AutomationRuns;
}

/** Makes the parts as the settings say; runs whose holders are gone are taken over from now on. */
export function startAutomationParts(
  config: ContentConfig,
  platform: Pick<Platform, "logger" | "peers" | "exchange" | "clock" | "meter" | "tracer">,
  dependencies: Omit<StepDependencies, "prompts" | "peers" | "permits">,
): AutomationParts {
  const { logger, peers: connect, meter, tracer } = platform;
  const { delegations } = dependencies;
  const retryMs = config.AUTOMATION_RETRY_MS;
  const prompts = new PromptApi({
    url: config.PROMPT_API_URL,
    key: config.PROMPT_API_KEY,
    model: config.PROMPT_MODEL,
    allowedNetworks: config.PROMPT_ALLOWED_NETWORKS,
    timeoutMs: config.PROMPT_TIMEOUT_MS,
    retryMs,
  });
  const { AUTOMATION_LEASE_MS: leaseMs, AUTOMATION_RUNS_AT_ONCE: mostAtOnce } = config;
  const { TRAINING_ADDRESS: training, DEPLOYMENTS_ADDRESS: deployments } = config;
  const peers = new StepPeers({ connect, training, deployments });
  const permits = new StepPermits(platform, { delegations, identity: config.IDENTITY_ADDRESS });
  const all = { ...dependencies, prompts, peers, permits };
  const { automation_runs_total, automation_runs_active } = createInstruments(meter, {
    automation_runs_total: workMetrics.automation_runs_total,
    automation_runs_active: workMetrics.automation_runs_active,
  });
  const ended: AutomationRunsParts["ended"] = (status) => automation_runs_total.add(1, { status });
  const runs = new AutomationRuns({ dependencies: all, logger, tracer, meter, retryMs, leaseMs, mostAtOnce, ended });
  automation_runs_active.observe((tell) => tell(runs.underWay));
  return {
    prompts,
    peers,
    permits,
    runs,
  };
}
