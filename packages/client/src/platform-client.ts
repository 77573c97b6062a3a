import createClient, { type Client, type Middleware } from "openapi-fetch";
import type { paths } from "../gen/api.d.ts";
import { idempotentOperations } from "../gen/idempotent-operations.js";
import { type RetryPolicy, repeatingFetch } from "./repeating-fetch.ts";
import { type ServerEvent, serverEvents } from "./server-events.ts";

/** How the platform is reached, and as whom. */
export interface PlatformClientOptions {
  /** URL of the gateway. */
  baseUrl: string;
  /**
   * An API key or an access token; a function is asked for each request, for tokens that run out. Default: none, for a page in a
   * browser, whose requests carry the cookie of its session.
   */
  credential?: string | (() => string | Promise<string>);
  /** How requests are repeated. */
  retry?: RetryPolicy;
}

/** Path of a GET operation that streams events. */
export type StreamPath = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: { "text/event-stream": unknown } } } };
  }
    ? Path
    : never;
}[keyof paths];

/** What its events hold. */
export type StreamOf<Path extends StreamPath> = paths[Path] extends {
  get: { responses: { 200: { content: { "text/event-stream": infer Event } } } };
}
  ? Event
  : never;

/** What it is asked with. */
export type StreamParams<Path extends StreamPath> = paths[Path] extends {
  get: { parameters: { path: infer Values extends object; query?: infer Query extends object } };
}
  ? { path: Values; query?: Query }
  : never;

/** The platform's REST API, typed from its description. */
export interface PlatformClient extends Client<paths> {
  /** Follows a stream, across interruptions, until it ends or `signal` is aborted: all of it, or what comes after an event. */
  events<Path extends StreamPath>(
    path: Path,
    params: StreamParams<Path>,
    signal?: AbortSignal,
    lastEventId?: string,
  ): AsyncGenerator<ServerEvent<StreamOf<Path>>, void, undefined>;
}

/**
 * A client of the platform. Requests that create are sent with an `Idempotency-Key` wherever the API takes one, so that a
 * repetition has one effect.
 */
export function createPlatformClient({ baseUrl, credential, retry = {} }: PlatformClientOptions): PlatformClient {
  const request = repeatingFetch(retry);
  const middlewares = credential === undefined ? [keyed()] : [authorized(credential), keyed()];
  const client = createClient<paths>({ baseUrl, fetch: request });
  client.use(...middlewares);
  const streams = createClient<StreamsByPath>({ baseUrl, fetch: request });
  streams.use(...middlewares);
  const events: PlatformClient["events"] = (path, params, signal, lastEventId) => {
    const open = async (last: string) => {
      const headers = { accept: "text/event-stream", ...(last && { "last-event-id": last }) };
      const { response } = await streams.GET(path, { params, headers, parseAs: "stream", signal: signal ?? null });
      return response;
    };
    return serverEvents(open, signal, lastEventId);
  };
  return Object.assign(client, { events });
}

/** How a stream is asked for whose path is a parameter: the types of `paths` cannot be followed there. */
interface StreamsByPath {
  [path: string]: {
    get: {
      parameters: { path?: object; query?: object; header?: object };
      responses: { 200: { content: { "text/event-stream": unknown } } };
    };
  };
}

function authorized(credential: NonNullable<PlatformClientOptions["credential"]>): Middleware {
  return {
    onRequest: async ({ request }) => {
      const bearer = typeof credential === "string" ? credential : await credential();
      request.headers.set("authorization", `Bearer ${bearer}`);
      return request;
    },
  };
}

function keyed(): Middleware {
  const idempotent = new Set(idempotentOperations);
  return {
    onRequest: ({ request, schemaPath }) => {
      if (idempotent.has(`${request.method} ${schemaPath}`) && !request.headers.has("idempotency-key"))
        request.headers.set("idempotency-key", crypto.randomUUID());
      return request;
    },
  };
}
