import type { Platform } from "@aiplatform/service-host";
import type { ContentConfig } from "../config.ts";
import { AutomationRuns } from "./automation-runs.ts";
import { PromptApi } from "./prompt-api.ts";
import type { StepDependencies } from "./step.ts";

/** What carries automations out. */
export interface AutomationParts {
  prompts: PromptApi;
  runs: AutomationRuns;
}

/** Makes the parts as the settings say; runs whose holders are gone are taken over from now on. */
export function startAutomationParts(
  config: ContentConfig,
  { logger }: Pick<Platform, "logger">,
  dependencies: Omit<StepDependencies, "prompts">,
): AutomationParts {
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
  const all = { ...dependencies, prompts };
  return { prompts, runs: new AutomationRuns({ dependencies: all, logger, retryMs, leaseMs, mostAtOnce }) };
}
