import { traceFrom } from "@aiplatform/telemetry";
import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { rpcName, watchCall } from "../call-end.ts";
import { failureSummary } from "./failure-summary.ts";

/** Continues the caller's W3C trace with a server span around the call. */
export function traceInterceptor(tracer: Tracer): Interceptor {
  return (next) => (request) => {
    const parent = traceFrom(request.header);
    const { method } = request;
    const attributes = { "rpc.system": "grpc", "rpc.service": method.parent.typeName, "rpc.method": method.name };
    const span = tracer.startSpan(rpcName(method), { kind: SpanKind.SERVER, attributes }, parent);
    return watchCall(next, request, {
      within: trace.setSpan(parent, span),
      ended(error) {
        if (error !== undefined) {
          const failure = ConnectError.from(error);
          const status = { code: SpanStatusCode.ERROR, message: failureSummary(failure) };
          span.setAttribute("rpc.grpc.status_code", failure.code).setStatus(status);
        }
        span.end();
      },
    });
  };
}
