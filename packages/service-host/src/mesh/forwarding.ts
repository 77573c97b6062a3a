import { nameTrace } from "@aiplatform/telemetry";
import type { Interceptor } from "@connectrpc/connect";
import { context } from "@opentelemetry/api";
import { currentCall } from "../current-call.ts";
import { nameRequest } from "../request-name.ts";

/** Sends the trace and the request id of the call being served along with every call made meanwhile. */
export function forwardingInterceptor(): Interceptor {
  return (next) => (request) => {
    const call = currentCall();
    if (call) nameRequest(request.header, { requestId: call.requestId, requestIdSource: call.requestIdSource() });
    if (!request.header.has("traceparent"))
      nameTrace(context.active(), (name, value) => request.header.set(name, value));
    return next(request);
  };
}
