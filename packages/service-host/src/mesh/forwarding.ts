import type { Interceptor } from "@connectrpc/connect";
import { context } from "@opentelemetry/api";
import { currentCall } from "../current-call.ts";
import { requestIdHeader } from "../interceptors/request-id.ts";
import { injectTrace } from "../trace-headers.ts";

/** Sends the trace and the request id of the call being served along with every call made meanwhile. */
export function forwardingInterceptor(): Interceptor {
  return (next) => (request) => {
    const call = currentCall();
    if (call && !request.header.has(requestIdHeader)) request.header.set(requestIdHeader, call.requestId);
    if (!request.header.has("traceparent")) injectTrace(context.active(), request.header);
    return next(request);
  };
}
