import { callerKey } from "@aiplatform/caller-identity";
import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { context } from "@opentelemetry/api";
import { watchCall } from "../call-end.ts";
import { contextOfCall, deadlineKey } from "../current-call.ts";

/** Header (and metadata key) of the request id, on requests and on answers. */
export const requestIdHeader = "x-request-id";

const acceptable = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** Takes over the caller's request id, or mints one; it is on the answer, on every log line and on downstream calls. */
export function requestIdInterceptor(newId: () => string): Interceptor {
  return (next) => (request) => {
    const offered = request.header.get(requestIdHeader);
    const requestId = offered !== null && acceptable.test(offered) ? offered : newId();
    const deadline = request.contextValues.get(deadlineKey);
    const caller = () => request.contextValues.get(callerKey);
    const call = deadline === undefined ? { requestId, caller } : { requestId, caller, deadline };
    return watchCall(next, request, {
      within: contextOfCall(context.active(), call),
      answered: (response) => response.header.set(requestIdHeader, requestId),
      ended(error) {
        if (error instanceof ConnectError) error.metadata.set(requestIdHeader, requestId);
      },
    });
  };
}
