import { callerKey } from "@aiplatform/caller-identity";
import { createInstruments } from "@aiplatform/telemetry";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import type { Meter } from "@opentelemetry/api";
import { rpcName, watchCall } from "../call-end.ts";
import type { Logger } from "../logger.ts";
import { servingMetrics } from "../telemetry/host-metrics.ts";
import { failureSummary, mayQuoteCaller } from "./failure-summary.ts";

/** Level of a call's log line by how it ended; what is missing here is the caller's affair and logged as `info`. */
const levelOf = new Map<Code | undefined, "debug" | "warn" | "error">([
  [undefined, "debug"],
  [Code.Unknown, "error"],
  [Code.Internal, "error"],
  [Code.DataLoss, "error"],
  [Code.Unavailable, "warn"],
  [Code.DeadlineExceeded, "warn"],
]);

/** Rate, errors and duration of every call as one histogram, and one log line per call. */
export function observationInterceptor({ logger, meter }: { logger: Logger; meter: Meter }): Interceptor {
  const { rpc_server_call_duration_seconds: duration, rpc_server_open_streams: streams } = createInstruments(
    meter,
    servingMetrics,
  );
  return (next) => (request) => {
    const startedAt = performance.now();
    const { method } = request;
    const called = { rpc_service: method.parent.typeName, rpc_method: method.name };
    if (request.stream) streams.add(1, called);
    return watchCall(next, request, {
      ended(thrown) {
        const error = thrown === undefined ? undefined : ConnectError.from(thrown);
        const code = error === undefined ? "OK" : Code[error.code];
        const elapsed = performance.now() - startedAt;
        duration.record(elapsed / 1_000, { ...called, rpc_response_status_code: code });
        if (request.stream) streams.add(-1, called);
        const level = levelOf.get(error?.code) ?? "info";
        if (!logger.isLevelEnabled(level)) return;
        const failure = error === undefined ? {} : failureOf(error);
        const caller = request.contextValues.get(callerKey);
        const who = caller === undefined ? {} : { organisation_id: caller.organisationId };
        logger[level]({ rpc: rpcName(method), code, ms: Math.round(elapsed * 100) / 100, ...who, ...failure }, "call");
      },
    });
  };
}

/** The cause is for the log alone: callers never see it. */
function failureOf(error: ConnectError): { reason: string; err?: unknown } {
  const reason = failureSummary(error);
  return error.cause === undefined || mayQuoteCaller(error) ? { reason } : { reason, err: error.cause };
}
