import { readFileSync } from "node:fs";
import type { Settings } from "@aiplatform/service-host";
import type { Environment } from "./check.ts";

/** Texts shorter than this stand in ordinary words as well. */
const minLength = 6;

/** A copy in which no secret of these settings stands in any text: what others say in their errors may repeat one. */
export function withoutSecrets<T>(value: T, settings: Settings, env: Environment): T {
  const secrets = secretsOf(settings, env).sort((one, other) => other.length - one.length);
  const hidden = (text: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
  return JSON.parse(JSON.stringify(value), (_, each: unknown) => (typeof each === "string" ? hidden(each) : each));
}

function secretsOf(settings: Settings, env: Environment): string[] {
  const secrets = Object.entries(settings).filter(([, { secret }]) => secret);
  const own = secrets.flatMap(([setting]) => partsOf(textOf(setting, env)));
  // Not secret as a whole, although it may hold a login.
  return [...own, ...loginsIn(env["NATS_URL"] ?? "")].filter((each) => each.length >= minLength);
}

function textOf(name: string, env: Environment): string {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] ?? "";
  try {
    return readFileSync(file, "utf8").trimEnd();
  } catch {
    return "";
  }
}

/** The whole, unless it is an address, of which the login alone is secret. */
function partsOf(text: string): string[] {
  return /^[a-z+]+:\/\//.test(text) ? loginsIn(text) : [text];
}

/** Password or token of each address in a text, as it stands and decoded. */
function loginsIn(text: string): string[] {
  return [...text.matchAll(/(?:^|,|\/\/)\s*(?:[^/@:,\s]*:)?([^/@:,\s]+)@/g)].flatMap(([, login = ""]) => [
    login,
    decoded(login),
  ]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
