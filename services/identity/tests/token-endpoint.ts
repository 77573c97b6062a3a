import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@aiplatform/testkit";

/** How a token endpoint answers. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** An account platform of which only the token endpoint is real, and answers as it is told. */
export interface TokenEndpoint extends AsyncDisposable {
  url: string;
  /** Bodies it was asked with, oldest first. */
  readonly asked: string[];
  answer: Answering;
}

/** Answers with JSON. */
export function json(status: number, body: object): Answering {
  return (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export async function startTokenEndpoint(): Promise<TokenEndpoint> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push(Buffer.concat(chunks).toString());
    endpoint.answer(request, response);
  });
  const port = await listenOnLoopback(server);
  const endpoint: TokenEndpoint = {
    url: `http://127.0.0.1:${port}`,
    asked,
    answer: json(500, {}),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return endpoint;
}
