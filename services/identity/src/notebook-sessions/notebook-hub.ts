import type { GuardedFetch } from "@aiplatform/guarded-fetch";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
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

/** Characters of the hub's reason for a failed start. */
const maxFailureLength = 300;

export interface UserServer {
  username: string;
  /** Empty for the default one. */
  serverName: string;
}

interface AskOptions {
  body?: object;
  /** Default: identity's own. */
  token?: string;
  /** Default: one that ends the request after the time that an answer may take. */
  signal?: AbortSignal;
}

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

  /**
   * The server that a token of the hub was made for; undefined for tokens of other kinds, and once the server has stopped. A token that
   * opens a user's servers from outside, such as a pass, is one of another kind.
   */
  async findTokenServer(token: string): Promise<UserServer | undefined> {
    const signal = AbortSignal.timeout(answerWithinMs);
    const answer = await this.#ask("GET", "user", { token, signal });
    if (answer.status === 401 || answer.status === 403) return undefined;
    const username = textOf(answer.body, "name");
    if (answer.status !== 200 || username === undefined) throw unexpected(answer);
    const serverName = textOf(answer.body, "kind") === "user" ? serverInScopes(answer.body, username) : undefined;
    if (serverName === undefined) return undefined;
    // A server that is to be resumed keeps its token while it is stopped.
    const server = await this.findServer(username, { serverName, signal });
    return server && !server.stopped ? { username, serverName } : undefined;
  }

  /**
   * A user's server, by default the one without a name; undefined when it was never started. Asking neither makes a user nor counts as
   * use.
   */
  async findServer(
    username: string,
    {
      serverName = "",
      signal = AbortSignal.timeout(answerWithinMs),
    }: { serverName?: string; signal?: AbortSignal } = {},
  ): Promise<HubServer | undefined> {
    const path = `users/${encodeURIComponent(username)}`;
    const answer = await this.#ask("GET", `${path}?include_stopped_servers=1`, { signal });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw unexpected(answer);
    const found = fieldOf(fieldOf(answer.body, "servers"), serverName);
    if (found === undefined) return undefined;
    const server = readServer(found);
    if (!server.stopped || server.pending !== undefined) return server;
    return { ...server, spawnFailure: await this.#spawnFailure(path, signal) };
  }

  /** The hub tells how a start ended where it tells how one goes on: as server-sent events. Once answered, it is over. */
  async #spawnFailure(path: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const { status, text } = await this.#fetchText("GET", `${path}/server/progress`, { signal });
      return status === 200 ? failureIn(text) : undefined;
    } catch (error) {
      // Where the server stands is known all the same.
      if (error instanceof HubUnavailableError) return undefined;
      throw error;
    }
  }

  /** A token for a user's own servers and nothing else, for so many seconds. The user is made if need be. */
  async issueToken(username: string, seconds: number): Promise<string> {
    const own = ["access:servers", "servers", "read:users"].map((scope) => `${scope}!user=${username}`);
    const wanted = { note: "platform gateway", expires_in: seconds, scopes: own };
    const path = `users/${encodeURIComponent(username)}`;
    let answer = await this.#ask("POST", `${path}/tokens`, { body: wanted });
    // To the hub an unknown user is one whom the asker may not make tokens for.
    if (answer.status === 403 || answer.status === 404) {
      const made = await this.#ask("POST", path);
      // 409: another request was faster.
      if (made.status !== 201 && made.status !== 409) throw unexpected(made);
      answer = await this.#ask("POST", `${path}/tokens`, { body: wanted });
    }
    const token = textOf(answer.body, "token");
    // One that never ends would be a hub's that does not know what it was asked for.
    if (answer.status !== 201 || !token || !timeOf(answer.body, "expires_at")) throw unexpected(answer);
    return token;
  }

  async #ask(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
    const { status, text } = await this.#fetchText(method, path, options);
    try {
      return { status, body: text === "" ? undefined : JSON.parse(text) };
    } catch (cause) {
      throw new HubUnavailableError(cause);
    }
  }

  async #fetchText(
    method: string,
    path: string,
    { body, token = this.#apiToken, signal = AbortSignal.timeout(answerWithinMs) }: AskOptions,
  ): Promise<{ status: number; text: string }> {
    try {
      const response = await this.#fetch(`${this.#api}/${path}`, {
        method,
        headers: { authorization: `token ${token}`, "content-type": "application/json" },
        signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      throw new HubUnavailableError(cause);
    }
  }
}

/** What the events of a start say of its failure, on one line; undefined when it did not fail. */
function failureIn(events: string): string | undefined {
  const line = events.split("\n").find((each) => each.startsWith("data: "));
  const event = line === undefined ? undefined : parsed(line.slice("data: ".length));
  if (fieldOf(event, "failed") !== true) return undefined;
  const message = (textOf(event, "message") ?? "").replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").trim();
  return message.replace(/^Spawn failed: /, "").slice(0, maxFailureLength) || "the hub gives no reason";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Says the status and never the body, which may hold a token. */
function unexpected({ status }: Answer): HubUnavailableError {
  return new HubUnavailableError(new Error(`the hub answered ${status}, or not in the form that hubs answer in`));
}

/** Name of the one server of its own user that a token opens by itself. */
function serverInScopes(body: unknown, username: string): string | undefined {
  const scopes = fieldOf(body, "scopes");
  const own = `access:servers!server=${username}/`;
  const scope = Array.isArray(scopes)
    ? scopes.find((each) => typeof each === "string" && each.startsWith(own))
    : undefined;
  return typeof scope === "string" ? scope.slice(own.length) : undefined;
}

function readServer(server: unknown): HubServer {
  return {
    name: textOf(server, "name") ?? "",
    pending: textOf(server, "pending"),
    ready: fieldOf(server, "ready") === true,
    stopped: fieldOf(server, "stopped") === true,
    spawnFailure: undefined,
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
