import type { IncomingHttpHeaders } from "node:http";

/** Of one connection and not of the message. `expect` has been answered here; a body's framing is written again. */
const ofConnections: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
  "http2-settings",
  "expect",
]);

/** What tells where a body ends: a caller that has it removed turns the rest of the body into another request. */
const framing: readonly string[] = ["content-length", "transfer-encoding"];

/** Whether a header of a message with these `headers` stays on the connection it came on. */
export function hopByHopOf({ connection }: IncomingHttpHeaders): (name: string) => boolean {
  const named = listOf(connection);
  for (const name of framing) named.delete(name);
  return (name) => ofConnections.has(name) || named.has(name);
}

/** The items of a header that is a list, in lower case. */
export function listOf(header: string | undefined): Set<string> {
  return new Set((header ?? "").split(",").map((item) => item.trim().toLowerCase()));
}
