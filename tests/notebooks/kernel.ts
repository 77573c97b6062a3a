import { randomUUID } from "node:crypto";
import { WebSocket } from "undici";

/** A websocket to a path of the gateway, opened with these headers. Rejects when it is refused. */
export async function openSocket(
  gateway: string,
  { path, headers }: { path: string; headers: Record<string, string> },
): Promise<WebSocket> {
  const socket = new WebSocket(new URL(path, gateway.replace(/^http/, "ws")), { headers });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener("open", () => resolve());
  socket.addEventListener("error", ({ error }) => reject(error ?? new Error("the websocket was refused")));
  await promise;
  return socket;
}

/** Resolves when the other side has ended the websocket. */
export async function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.addEventListener("close", () => resolve());
  await promise;
}

/** Runs code in a kernel over its websocket, and answers its result as text. */
export async function execute(socket: WebSocket, code: string): Promise<string> {
  const id = randomUUID();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const listen = ({ data }: { data: unknown }) => {
    const message = JSON.parse(String(data));
    if (message.parent_header?.msg_id !== id) return;
    if (message.msg_type === "execute_result") resolve(message.content.data["text/plain"]);
    if (message.msg_type === "error") reject(new Error(message.content.evalue));
  };
  socket.addEventListener("message", listen);
  const header = { msg_id: id, msg_type: "execute_request", username: "", session: id, date: "", version: "5.3" };
  const content = { code, silent: false, store_history: false, user_expressions: {}, allow_stdin: false };
  socket.send(JSON.stringify({ channel: "shell", header, parent_header: {}, metadata: {}, content, buffers: [] }));
  try {
    return await promise;
  } finally {
    socket.removeEventListener("message", listen);
  }
}
