import { createInstruments, type Measuring } from "@aiplatform/telemetry";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { rpcName } from "../call-end.ts";
import { callingMetrics } from "./host-metrics.ts";

/**
 * Rate, errors and duration of the calls to other services, and a span for each that is made within a trace. A stream
 * counts until it is answered: how long it then lives is the service's to tell.
 */
export function outgoingCallInterceptor({ meter, tracer }: Measuring): Interceptor {
  const { rpc_client_call_duration_seconds: duration } = createInstruments(meter, callingMetrics);
  return (next) => async (request) => {
    const startedAt = performance.now();
    const { method } = request;
    const called = { rpc_service: method.parent.typeName, rpc_method: method.name };
    const active = context.active();
    const traced = tracer !== undefined && trace.getSpanContext(active) !== undefined;
    const attributes = { "rpc.system": "grpc", "rpc.service": called.rpc_service, "rpc.method": called.rpc_method };
    const span = traced ? tracer.startSpan(rpcName(method), { kind: SpanKind.CLIENT, attributes }, active) : undefined;
    let code = "OK";
    try {
      return await (span ? context.with(trace.setSpan(active, span), next, undefined, request) : next(request));
    } catch (error) {
      const failed = ConnectError.from(error).code;
      code = Code[failed];
      span?.setAttribute("rpc.grpc.status_code", failed).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      duration.record((performance.now() - startedAt) / 1_000, { ...called, rpc_response_status_code: code });
      span?.end();
    }
  };
}
