import { readFileSync } from "node:fs";
import { UsageError } from "../exit-codes.ts";
import { type Context, contextOf, readContexts } from "./context-file.ts";

/** How the platform is reached, and as whom. */
export interface Connection {
  baseUrl: string;
  /** Absent: none was given. */
  credential?: string;
  /** Name of the context that this comes from. */
  context?: string;
}

/** What the command line says of it. */
export interface ConnectionOptions {
  url?: string;
  context?: string;
  apiKeyFile?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const defaultUrl = "http://127.0.0.1:8080";

/**
 * The connection that options, environment and contexts come to. URL and credential are taken from one place: the
 * context that is named, else the environment when it says anything, else the current context. Options replace
 * either, but a credential of a context never goes to another server than that context's.
 * @throws UsageError for what cannot be
 */
export function connectionOf({ url, context, apiKeyFile }: ConnectionOptions, env: Env): Connection {
  const source = sourceOf(context, env);
  const baseUrl = url ?? source.url;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ""))
    throw new UsageError(`${baseUrl} is not an http or https URL`);
  const mayUse = source.name === undefined || new URL(baseUrl).origin === new URL(source.url).origin;
  const credential = apiKeyFile === undefined ? mayUse && source.credential : credentialIn(apiKeyFile);
  return {
    baseUrl,
    ...(credential && { credential }),
    ...(source.name !== undefined && mayUse && { context: source.name }),
  };
}

/** The credential. @throws UsageError when there is none */
export function credentialOf({ credential }: Connection): string {
  if (credential) return credential;
  throw new UsageError("no credential: platformctl login keeps one, PLATFORM_API_KEY or --api-key-file gives one");
}

/** What a file with a credential holds. @throws UsageError when it cannot be read */
function credentialIn(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new UsageError(`--api-key-file: ${error instanceof Error ? error.message : error}`);
  }
}

type Source = Context & { name?: string };

function sourceOf(option: string | undefined, env: Env): Source {
  const named = option ?? env["PLATFORM_CONTEXT"];
  if (named) return { ...contextOf(readContexts(env), named), name: named };
  const { PLATFORM_URL: url = defaultUrl, PLATFORM_API_KEY: credential } = env;
  if (env["PLATFORM_URL"] || credential) return { url, ...(credential && { credential }) };
  const contexts = readContexts(env);
  const { current } = contexts;
  return current === undefined ? { url } : { ...contextOf(contexts, current), name: current };
}
