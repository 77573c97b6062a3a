import { requestIdOf, toHttpError, writeError } from "@aiplatform/transcoder";
import type { ConnectError } from "@connectrpc/connect";
import type { RefusalAnswer } from "../admission/load-shedder.ts";
import { writeRpcError } from "./error.ts";
import { hasRpcForm } from "./path.ts";

/** An answer in the form in which a request was made. It is made once for all: a thousand refusals a second say the same. */
export function refusalAnswer(error: ConnectError): RefusalAnswer {
  const http = toHttpError(error);
  return (request, response) => {
    if (hasRpcForm(request.url ?? "")) writeRpcError(request, response, error);
    else writeError(request, response, http, { requestId: requestIdOf(request.headers["x-request-id"]) });
  };
}
