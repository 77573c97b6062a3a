import { defineSettings, hostSettings, readSettings, type SettingsValues, setting } from "@aiplatform/service-host";

/** Every setting of the service, once: type, default and what it is for. */
export const deploymentsSettings = defineSettings({
  ...hostSettings,
  MONGODB_URI: setting.secretText({ says: "MongoDB replica set that holds models, deployments and rollouts." }),
  MONGODB_DATABASE: setting.text({ default: "deployments", says: "Database of this service alone." }),
  NATS_URL: setting.text({ says: "NATS servers with JetStream, separated by commas." }),
  NATS_STREAM: setting.text({ default: "aiplatform", says: "JetStream stream that events are published to." }),
});

/** The settings as the service receives them. */
export type DeploymentsConfig = SettingsValues<typeof deploymentsSettings>;

/** Reads the environment. Throws SettingsError with every mistake in it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): DeploymentsConfig {
  return readSettings(deploymentsSettings, env);
}
