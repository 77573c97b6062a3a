import { readFileSync } from "node:fs";
import { type Environment, kindOf, type ServiceEnvironment, settingsOf } from "./services.ts";

/** Texts shorter than this stand in ordinary words as well. */
const shortest = 6;

/** A copy in which no secret of these settings stands in any text: what others say in their errors may repeat one. */
export function withoutSecrets<T>(value: T, environments: readonly ServiceEnvironment[]): T {
  const secrets = environments.flatMap(secretsOf).sort((one, other) => other.length - one.length);
  const hidden = (text: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
  return JSON.parse(JSON.stringify(value), (_, each: unknown) => (typeof each === "string" ? hidden(each) : each));
}

function secretsOf({ name, env }: ServiceEnvironment): string[] {
  const kind = kindOf(name);
  if (!kind) return [];
  const names = Object.entries(settingsOf[kind]).flatMap(([setting, { secret }]) => (secret ? [setting] : []));
  // A server list may hold a login, whatever it is declared as.
  return [...names, "NATS_URL"].flatMap((setting) => partsOf(textOf(setting, env)));
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

/** The whole, and the password of each URL in it, as it stands and decoded. */
function partsOf(text: string): string[] {
  const passwords = [...text.matchAll(/\/\/[^/@:\s]*:([^/@\s]+)@/g)].flatMap(([, password = ""]) => [
    password,
    decoded(password),
  ]);
  // An address without a login is no secret, and says what is looked at.
  const whole = /^[a-z+]+:\/\//.test(text) && passwords.length === 0 ? [] : [text];
  return [...whole, ...passwords].filter((each) => each.length >= shortest);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
