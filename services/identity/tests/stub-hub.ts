import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@aiplatform/testkit";

/** What a hub was asked. */
export interface HubRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

/** A hub's REST API as far as identity uses it, which can be told to misbehave. */
export interface StubHub extends AsyncDisposable {
  url: string;
  requests: HubRequest[];
  /** Users that exist, with the models of their servers. */
  users: Map<string, Record<string, unknown>>;
  /** Whose each token is, as the hub tells its holder. */
  tokens: Map<string, Record<string, unknown>>;
  /** What the hub says of a start that failed, by user. */
  failedStarts: Map<string, string>;
  /** Answers instead of the hub, while set. */
  misbehaves: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

export const hubApiToken: string = "api-token-of-the-stub-hub";

export async function startStubHub(): Promise<StubHub> {
  const server = createServer((request, response) => void answer(request, response));
  const port = await listenOnLoopback(server);
  const hub: StubHub = {
    url: `http://127.0.0.1:${port}/notebooks`,
    requests: [],
    users: new Map(),
    tokens: new Map(),
    failedStarts: new Map(),
    misbehaves: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}");
    hub.requests.push({ method, path: url, authorization: headers.authorization, body });
    if (hub.misbehaves) return hub.misbehaves(request, response);
    if (url.endsWith("/server/progress")) return progress(url.split("/").at(-3) ?? "", response);
    const [status, model] = url.endsWith("/hub/api/user") ? whose(headers.authorization) : route({ method, url, body });
    response.writeHead(status, { "content-type": "application/json" }).end(model && JSON.stringify(model));
  }

  /** As JupyterHub 5 does: an event where the last start failed, with empty lines before it, else 400. */
  function progress(name: string, response: ServerResponse): void {
    const message = hub.failedStarts.get(name);
    if (message === undefined) return void response.writeHead(400).end('{"status": 400, "message": "is not starting"}');
    const event = { progress: 100, failed: true, message: `Spawn failed: ${message}` };
    response.writeHead(200, { "content-type": "text/event-stream" }).end(`\n\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** As JupyterHub 6 does. */
  function whose(authorization = ""): [number, object] {
    const model = hub.tokens.get(authorization.replace(/^token /, ""));
    return model ? [200, model] : [403, { status: 403, message: "Missing or invalid credentials." }];
  }

  function route(o: { method: string; url: string; body: { expires_in?: number } }): [number, object?] {
    const [, name = "", tokens] = /^\/notebooks\/hub\/api\/users\/([^/?]+)(\/tokens)?/.exec(o.url) ?? [];
    const servers = hub.users.get(name);
    if (tokens) {
      if (!servers) return [403, { message: "not found or no permissions to generate tokens" }];
      const expires = new Date(Date.now() + 1_000 * (o.body.expires_in ?? 0)).toISOString();
      return [201, { token: `token-of-${name}`, expires_at: expires }];
    }
    if (o.method === "POST") {
      if (servers) return [409, { message: "exists" }];
      hub.users.set(name, {});
      return [201, { name }];
    }
    return servers ? [200, { name, servers }] : [404, { message: null }];
  }
  return hub;
}
