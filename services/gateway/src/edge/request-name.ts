import type { IncomingMessage } from "node:http";
import type { RequestName } from "@aiplatform/service-host";
import { requestIdOf } from "@aiplatform/transcoder";

/** Requests whose id was made here. No header says so, since callers can send any header. */
const namedHere = new WeakSet<IncomingMessage>();

/** From here on the header has a value that may be passed on and logged. */
export function takeRequestId(request: IncomingMessage): string {
  const { headers } = request;
  const offered = headers["x-request-id"];
  const requestId = requestIdOf(offered);
  if (requestId !== offered) namedHere.add(request);
  headers["x-request-id"] = requestId;
  return requestId;
}

/** The id of a request whose id was taken, and who chose it. */
export function requestNameOf(request: IncomingMessage): RequestName {
  const requestId = requestIdOf(request.headers["x-request-id"]);
  return { requestId, requestIdSource: namedHere.has(request) ? "platform" : "caller" };
}
