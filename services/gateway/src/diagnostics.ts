import { checkService, type Diagnostics, hostChecks, peers, sharedSettings } from "@aiplatform/doctor";
import { type GatewayConfig, gatewaySettings, readConfig } from "./config.ts";

export const diagnostics: Diagnostics<GatewayConfig> = {
  service: "gateway",
  settings: gatewaySettings,
  readConfig,
  checks: (config, env) => [
    ...hostChecks("gateway", config, env),
    ...peers(config, peersOf(config)),
    // Identity sends browsers there.
    ...sharedSettings("address", { PUBLIC_URL: config.PUBLIC_URL, CONSOLE_PATH: config.CONSOLE_PATH }),
  ],
};

function peersOf(config: GatewayConfig) {
  const { IDENTITY_ADDRESS, TRAINING_ADDRESS, CONTENT_ADDRESS, DEPLOYMENTS_ADDRESS, DATA_ADDRESS } = config;
  const { IDENTITY_HTTP_URL, TRAINING_HTTP_URL, CONTENT_HTTP_URL, DEPLOYMENTS_HTTP_URL, DATA_HTTP_URL } = config;
  const ofServices = { IDENTITY_HTTP_URL, TRAINING_HTTP_URL, CONTENT_HTTP_URL, DEPLOYMENTS_HTTP_URL, DATA_HTTP_URL };
  return {
    addresses: { IDENTITY_ADDRESS, TRAINING_ADDRESS, CONTENT_ADDRESS, DEPLOYMENTS_ADDRESS, DATA_ADDRESS },
    urls: { ...ofServices, JUPYTERHUB_URL: config.JUPYTERHUB_URL },
  };
}

export const check = checkService(diagnostics);
