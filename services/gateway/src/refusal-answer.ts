import type { IncomingMessage, ServerResponse } from "node:http";
import { requestIdOf, toHttpError, writeError } from "@aiplatform/transcoder";
import type { ConnectError } from "@connectrpc/connect";
import { writeRpcError } from "./rpc-error.ts";
import { hasRpcForm } from "./rpc-path.ts";

/** Answers a request with a refusal, in the form in which it was made. */
export type RefusalAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** An answer that is made once for all: a thousand refusals a second say the same. */
export function refusalAnswer(error: ConnectError): RefusalAnswer {
  const http = toHttpError(error);
  return (request, response) => {
    if (hasRpcForm(request.url ?? "")) writeRpcError(request, response, error);
    else writeError(request, response, http, { requestId: requestIdOf(request.headers["x-request-id"]) });
  };
}
