import type { Platform } from "@aiplatform/service-host";
import type { ContentConfig } from "../config.ts";
import { AutomationRuns } from "./automation-runs.ts";
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
  platform: Pick<Platform, "logger" | "peers" | "exchange" | "clock">,
  dependencies: Omit<StepDependencies, "prompts" | "peers" | "permits">,
): AutomationParts {
  const { logger, peers: connect } = platform;
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
  return {
    prompts,
    peers,
    permits,
    runs: new AutomationRuns({ dependencies: all, logger, retryMs, leaseMs, mostAtOnce }),
  };
}
