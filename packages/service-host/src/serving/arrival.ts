import type { IncomingMessage, ServerResponse } from "node:http";
import type { DescMethod } from "@bufbuild/protobuf";

/** How long a client may go on sending after it has been answered. */
const lingerMs = 1_000;
/** In which a request must arrive that is one message, its body included. */
const messageTimeoutMs = 30_000;
/** In which a request must arrive that is a stream of messages with one answer. One that streams both ways lasts. */
const streamTimeoutMs = 300_000;

/** Ends a connection whose request does not arrive; nothing of a call with one message has happened then. */
export function boundArrival(request: IncomingMessage, response: ServerResponse, { methodKind }: DescMethod): void {
  if (methodKind === "bidi_streaming") return;
  const arrivalMs = methodKind === "client_streaming" ? streamTimeoutMs : messageTimeoutMs;
  const late = setTimeout(() => {
    if (request.complete) return;
    response.once("finish", () => request.destroy());
    if (response.headersSent) request.destroy();
    else response.writeHead(408, { connection: "close" }).end();
  }, arrivalMs).unref();
  request.once("close", () => clearTimeout(late)).once("end", () => clearTimeout(late));
}

/** Reads what an answered client still sends, so that its connection can be used again; for a moment only. */
export function readOn(request: IncomingMessage): void {
  if (request.readableEnded) return;
  // A handler that left off in the middle still listens for what is readable, and then nothing flows. To resume is not enough: Node
  // stops a stream again that lost such a listener and has no other.
  request.removeAllListeners("readable").on("data", () => {});
  if (request.complete) return;
  const cut = setTimeout(() => request.destroy(), lingerMs).unref();
  request.once("close", () => clearTimeout(cut));
}
