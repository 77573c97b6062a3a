import { callerKey, callingServiceKey } from "@aiplatform/caller-identity";
import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { context } from "@opentelemetry/api";
import { type Request, watchCall } from "../call-end.ts";
import { contextOfCall, deadlineKey } from "../current-call.ts";
import { type RequestIdSource, requestIdHeader, requestIdSourceHeader } from "../request-name.ts";

const acceptable = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** Takes over the caller's request id, or mints one; it is on the answer, on every log line and on downstream calls. */
export function requestIdInterceptor(newId: () => string): Interceptor {
  return (next) => (request) => {
    const offered = request.header.get(requestIdHeader);
    const isTaken = offered !== null && acceptable.test(offered);
    const requestId = isTaken ? offered : newId();
    const requestIdSource = () => (isTaken ? sourceOfOffered(request) : "platform");
    const deadline = request.contextValues.get(deadlineKey);
    const caller = () => request.contextValues.get(callerKey);
    const call = { requestId, requestIdSource, caller, ...(deadline === undefined ? {} : { deadline }) };
    return watchCall(next, request, {
      within: contextOfCall(context.active(), call),
      answered: (response) => response.header.set(requestIdHeader, requestId),
      ended(error) {
        if (error instanceof ConnectError) error.metadata.set(requestIdHeader, requestId);
      },
    });
  };
}

/** The calling service is known only later in the call, and before anything is written. */
function sourceOfOffered({ contextValues, header }: Request): RequestIdSource {
  const isOfService = contextValues.get(callingServiceKey) !== undefined;
  return isOfService && header.get(requestIdSourceHeader) === "platform" ? "platform" : "caller";
}
