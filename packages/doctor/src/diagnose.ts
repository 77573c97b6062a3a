import { setTimeout as delay } from "node:timers/promises";
import { SettingsError } from "@aiplatform/service-host";
import type { Check, Diagnostics, Environment } from "./check.ts";
import { type Finding, failed, reasonOf } from "./finding.ts";
import { withoutSecrets } from "./secrets-of.ts";

/** What the checks of one name found. */
export interface Examination {
  check: string;
  /** Names of the processes whose settings these are. */
  of: readonly string[];
  findings: readonly Finding[];
}

export interface DiagnoseOptions {
  /** Time that each check has, ms. Default 15,000. */
  timeoutMs?: number;
  /** Names of the checks to run. Default: all. */
  only?: readonly string[];
}

const defaultTimeoutMs = 15_000;

/** Runs all checks that a service's settings ask for, at once. Secrets are in no text of the answer. */
export async function diagnose<Config>(
  { service, settings, readConfig, checks }: Diagnostics<Config>,
  env: Environment,
  { timeoutMs = defaultTimeoutMs, only }: DiagnoseOptions = {},
): Promise<Examination[]> {
  const of = [service];
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const remedy = `services/${service}/README.md has the table of settings; the rest of ${service} is not looked at until they are right`;
    const findings = error.problems.map((problem) => failed(problem, remedy));
    return withoutSecrets([{ check: "settings", of, findings }], settings, env);
  }
  const wanted = checks(config, env).filter(({ name }) => only?.includes(name) ?? true);
  const run = async (check: Check) => ({ check: check.name, of, findings: await within(check, timeoutMs) });
  const readable: Examination = {
    check: "settings",
    of,
    findings: [{ state: "ok", says: "every setting can be read" }],
  };
  return withoutSecrets([readable, ...(await Promise.all(wanted.map(run)))], settings, env);
}

async function within({ run, remedy }: Check, timeoutMs: number): Promise<readonly Finding[]> {
  const over = new AbortController();
  const tooLong = delay(timeoutMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${timeoutMs / 1_000} s`);
  });
  try {
    return await Promise.race([run(over.signal), tooLong]);
  } catch (error) {
    return [failed(reasonOf(error), remedy)];
  } finally {
    over.abort();
    tooLong.catch(() => {});
  }
}
