import * as content from "@aiplatform/content/checkup";
import * as deployments from "@aiplatform/deployments/checkup";
import * as gateway from "@aiplatform/gateway/checkup";
import * as identity from "@aiplatform/identity/checkup";
import { type Settings, SettingsError } from "@aiplatform/service-host";
import * as training from "@aiplatform/training/checkup";

/** A process's settings, as its environment has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A service process to look at. */
export interface ServiceEnvironment {
  /** Name of the process: that of its service, with a number behind it where there are several. */
  name: string;
  env: Environment;
}

/** Name of a service. */
export type ServiceKind = "gateway" | "identity" | "training" | "content" | "deployments";

/** A service process and what it is told, read as the service itself reads it. */
export type Service = { name: string; env: Environment } & (
  | { kind: "gateway"; config: gateway.GatewayConfig }
  | { kind: "identity"; config: identity.IdentityConfig }
  | { kind: "training"; config: training.TrainingConfig }
  | { kind: "content"; config: content.ContentConfig }
  | { kind: "deployments"; config: deployments.DeploymentsConfig }
);

/** A service that keeps data. */
export type StoringService = Exclude<Service, { kind: "gateway" }>;

/** Every setting that a service has, by service. */
export const settingsOf: Readonly<Record<ServiceKind, Settings>> = {
  gateway: gateway.gatewaySettings,
  identity: identity.identitySettings,
  training: training.trainingSettings,
  content: content.contentSettings,
  deployments: deployments.deploymentsSettings,
};

/** The service that a process is of, such as `training` for `training-2`. Undefined: none of ours. */
export function kindOf(name: string): ServiceKind | undefined {
  const stem = name.replace(/-\d+$/, "");
  return isKind(stem) ? stem : undefined;
}

function isKind(name: string): name is ServiceKind {
  return Object.hasOwn(settingsOf, name);
}

/** Reads a service's settings. Throws SettingsError with every mistake in them. */
export function readService({ name, env }: ServiceEnvironment, kind: ServiceKind): Service {
  switch (kind) {
    case "gateway":
      return { kind, name, env, config: gateway.readConfig(env) };
    case "identity":
      return { kind, name, env, config: identity.readConfig(env) };
    case "training":
      return { kind, name, env, config: training.readConfig(env) };
    case "content":
      return { kind, name, env, config: content.readConfig(env) };
    case "deployments":
      return { kind, name, env, config: deployments.readConfig(env) };
  }
}

/** The mistakes of settings that cannot be read. Throws what is none. */
export function mistakesOf(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.problems;
  throw error;
}

/** Whether the service keeps data in MongoDB. */
export function isStoring(service: Service): service is StoringService {
  return service.kind !== "gateway";
}
