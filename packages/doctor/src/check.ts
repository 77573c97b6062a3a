import type { Settings } from "@aiplatform/service-host";
import type { Finding } from "./finding.ts";

/** A process's settings, as its environment has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Something to look at. All checks of a service run at once, so none depends on another. */
export interface Check {
  /** Kind of check; several may share one. */
  name: string;
  /** Looks, and changes nothing. A rejection is a failed finding with `remedy`. */
  run: (signal: AbortSignal) => Promise<readonly Finding[]>;
  remedy: string;
}

/** How a service is examined. */
export interface Diagnostics<Config> {
  service: string;
  settings: Settings;
  /** @throws SettingsError */
  readConfig: (env: Environment) => Config;
  checks: (config: Config, env: Environment) => readonly Check[];
}
