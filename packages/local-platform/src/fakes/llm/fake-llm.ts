import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { chatMessages, completionOf } from "./chat-completion.ts";

const maxRequestBytes = 4 * 1024 * 1024;
const model = "fake-llm";

/**
 * Speaks OpenAI's chat completions in the place of a language model, with {@link completionOf} for an answer. For
 * development and tests only.
 */
export async function startFakeLlm(o: { host: string; port: number }): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(o.port, o.host);
  await once(server, "listening");
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split("?")[0];
  if (request.method === "GET" && path === "/v1/models") {
    return send(response, 200, { object: "list", data: [{ id: model, object: "model" }] });
  }
  if (request.method !== "POST" || path !== "/v1/chat/completions") return refuse(response, 404, "Not found");
  const body = await read(request);
  if (body === undefined) return refuse(response, 413, "The request is too large");
  const chat = chatMessages(body);
  if (!chat) return refuse(response, 400, "The request is not a chat completion");
  const content = completionOf(chat.messages);
  const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
  send(response, 200, {
    id: "chatcmpl-fake",
    object: "chat.completion",
    created: 0,
    model: chat.model,
    choices: [choice],
  });
}

async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= maxRequestBytes) chunks.push(chunk);
  }
  return size > maxRequestBytes ? undefined : Buffer.concat(chunks).toString();
}

function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, { error: { message, type: "invalid_request_error" } });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
