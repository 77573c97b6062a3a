import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { UsageError } from "../exit-codes.ts";

/** A platform, and as whom it is used. */
export interface Context {
  /** URL of the gateway. */
  url: string;
  /** An API key or an access token. */
  credential?: string;
}

/** What is remembered between two runs of the program. */
export interface Contexts {
  /** The one that is used when none is named. */
  current?: string;
  contexts: Readonly<Record<string, Context>>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Where contexts are kept: the XDG place for settings. */
export function contextFile(env: Env): string {
  const given = env["XDG_CONFIG_HOME"] ?? "";
  // As XDG has it: what is not absolute is no place.
  return join(isAbsolute(given) ? given : join(env["HOME"] || homedir(), ".config"), "platformctl", "contexts.json");
}

/** The contexts there are. @throws UsageError for a file that others may read, or that is none of ours */
export function readContexts(env: Env): Contexts {
  const path = contextFile(env);
  const text = textOf(path);
  if (text === undefined) return { contexts: {} };
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
    throw new UsageError(`others can read the credentials in ${path}: chmod 600 it`);
  const contexts = contextsIn(text);
  if (!contexts) throw new UsageError(`${path} does not hold contexts: correct it or remove it`);
  return contexts;
}

/** Keeps them in a file that only its owner may read, whole or not at all. */
export function writeContexts(env: Env, contexts: Contexts): void {
  const path = contextFile(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomUUID()}`;
  writeFileSync(unfinished, `${JSON.stringify(contexts, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(unfinished, path);
}

/** A context by its name. @throws UsageError when there is none */
export function contextOf({ contexts }: Contexts, name: string): Context {
  const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (!context) throw new UsageError(`there is no context ${name}: platformctl config get-contexts lists them`);
  return context;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isObject(error) && error["code"] === "ENOENT") return undefined;
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function contextsIn(text: string): Contexts | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isContexts(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function isContexts(value: unknown): value is Contexts {
  return (
    isObject(value) &&
    ["undefined", "string"].includes(typeof value["current"]) &&
    isObject(value["contexts"]) &&
    Object.values(value["contexts"]).every(isContext)
  );
}

function isContext(value: unknown): value is Context {
  return (
    isObject(value) &&
    URL.canParse(String(value["url"])) &&
    ["undefined", "string"].includes(typeof value["credential"])
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
