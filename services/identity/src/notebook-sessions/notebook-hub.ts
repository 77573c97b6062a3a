import type { GuardedFetch } from "@aiplatform/guarded-fetch";
import { NotFoundError } from "../not-found-error.ts";
import type { HubServer } from "./notebook-server.ts";

export class HubNotConfiguredError extends NotFoundError {
  override name = "HubNotConfiguredError";
}

/** The hub did not answer in time, or not as hubs do. */
export class HubUnavailableError extends Error {
  override name = "HubUnavailableError";
  constructor(cause?: unknown) {
    super("The notebook hub does not answer; try again in a moment", { cause });
  }
}

/** Longest a hub may take over one request, in milliseconds: people wait for the answer that needs it. */
const answerWithinMs = 2_500;

interface Answer {
  status: number;
  /** Parsed JSON; undefined when there is no body. */
  body: unknown;
}

/** A JupyterHub, by its REST API. Every method throws HubUnavailableError when it is away or answers nonsense. */
export class NotebookHub {
  readonly #api: string;
  readonly #apiToken: string;
  readonly #fetch: GuardedFetch;

  /** `url`: the hub's base URL, such as `https://hub.example/notebooks`. */
  constructor(o: { url: string; apiToken: string; fetch: GuardedFetch }) {
    this.#api = `${o.url.replace(/\/+$/, "")}/hub/api`;
    this.#apiToken = o.apiToken;
    this.#fetch = o.fetch;
  }

  /** The user's default server; undefined when none was ever started. Asking neither makes a user nor counts as use. */
  async findServer(username: string): Promise<HubServer | undefined> {
    const answer = await this.#ask("GET", `users/${encodeURIComponent(username)}?include_stopped_servers=1`);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw unexpected(answer);
    const server = fieldOf(fieldOf(answer.body, "servers"), "");
    return server === undefined ? undefined : readServer(server);
  }

  /** A token for a user's own servers and nothing else, for so many seconds. The user is made if need be. */
  async issueToken(username: string, seconds: number): Promise<string> {
    const own = ["access:servers", "servers", "read:users"].map((scope) => `${scope}!user=${username}`);
    const wanted = { note: "platform gateway", expires_in: seconds, scopes: own };
    const path = `users/${encodeURIComponent(username)}`;
    let answer = await this.#ask("POST", `${path}/tokens`, wanted);
    // To the hub an unknown user is one whom the asker may not make tokens for.
    if (answer.status === 403 || answer.status === 404) {
      const made = await this.#ask("POST", path);
      // 409: another request was faster.
      if (made.status !== 201 && made.status !== 409) throw unexpected(made);
      answer = await this.#ask("POST", `${path}/tokens`, wanted);
    }
    const token = textOf(answer.body, "token");
    // One that never ends would be a hub's that does not know what it was asked for.
    if (answer.status !== 201 || !token || !timeOf(answer.body, "expires_at")) throw unexpected(answer);
    return token;
  }

  async #ask(method: string, path: string, body?: object): Promise<Answer> {
    try {
      const response = await this.#fetch(`${this.#api}/${path}`, {
        method,
        headers: { authorization: `token ${this.#apiToken}`, "content-type": "application/json" },
        signal: AbortSignal.timeout(answerWithinMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
    } catch (cause) {
      throw new HubUnavailableError(cause);
    }
  }
}

/** Says the status and never the body, which may hold a token. */
function unexpected({ status }: Answer): HubUnavailableError {
  return new HubUnavailableError(new Error(`the hub answered ${status}, or not in the form that hubs answer in`));
}

function readServer(server: unknown): HubServer {
  return {
    name: textOf(server, "name") ?? "",
    pending: textOf(server, "pending"),
    ready: fieldOf(server, "ready") === true,
    stopped: fieldOf(server, "stopped") === true,
    url: textOf(server, "url"),
    startedAt: timeOf(server, "started"),
    lastActivity: timeOf(server, "last_activity"),
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

function textOf(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : undefined;
}

function timeOf(value: unknown, name: string): Date | undefined {
  const time = new Date(textOf(value, name) ?? "");
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * Looks at the base URL of a hub. Paths pass the gateway unchanged, so the hub's begin as ours do.
 * @throws Error whose message completes "<NAME> …".
 */
export function assertHubUrl({ protocol, pathname, username, password, search, hash }: URL): void {
  const isPlain = username + password + search + hash === "";
  const isHttp = protocol === "http:" || protocol === "https:";
  if (isHttp && isPlain && /^\/notebooks\/?$/.test(pathname)) return;
  throw new Error("must be an http or https URL whose path is /notebooks, such as https://hub.example/notebooks");
}
