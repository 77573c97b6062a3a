import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "./listen.ts";
import type { Readiness } from "./readiness.ts";

export interface AdminServer {
  readonly port: number;
  close(): Promise<void>;
}

/** `/livez` (this process answers), `/readyz` (calls may come) and `/metrics`, on a port of their own. */
export async function startAdminServer(o: {
  host: string;
  port: number;
  readiness: () => Readiness | undefined;
  exposeMetrics: (request: IncomingMessage, response: ServerResponse) => void;
}): Promise<AdminServer> {
  const pages = new Map<string, (request: IncomingMessage, response: ServerResponse) => unknown>([
    ["/livez", (_request, response) => sendJson(response, 200, { status: "ok" })],
    ["/readyz", (_request, response) => sendReadiness(response, o.readiness())],
    ["/metrics", o.exposeMetrics],
  ]);
  const server = createServer((request, response) => {
    const page = pages.get(request.url?.split("?", 1)[0] ?? "");
    if (page) page(request, response);
    else sendJson(response, 404, { error: `try ${[...pages.keys()].join(", ")}` });
  });
  const port = await listen(server, o);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendReadiness(response: ServerResponse, readiness: Readiness | undefined): Promise<void> {
  const report = (await readiness?.report()) ?? { ready: false, phase: "starting", checks: {} };
  sendJson(response, report.ready ? 200 : 503, report);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}
