import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import type { Meter } from "@opentelemetry/api";
import { rpcName, watchCall } from "../call-end.ts";
import type { Logger } from "../logger.ts";
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
  const duration = meter.createHistogram("rpc.server.call.duration", {
    description: "Time from a call's first byte to its end, by service, method and code.",
    unit: "s",
    advice: { explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] },
  });
  return (next) => (request) => {
    const startedAt = performance.now();
    const { method } = request;
    return watchCall(next, request, {
      ended(thrown) {
        const error = thrown === undefined ? undefined : ConnectError.from(thrown);
        const code = error === undefined ? "OK" : Code[error.code];
        const elapsed = performance.now() - startedAt;
        duration.record(elapsed / 1_000, {
          "rpc.service": method.parent.typeName,
          "rpc.method": method.name,
          "rpc.response.status_code": code,
        });
        const level = levelOf.get(error?.code) ?? "info";
        if (!logger.isLevelEnabled(level)) return;
        const failure = error === undefined ? {} : failureOf(error);
        logger[level]({ rpc: rpcName(method), code, ms: Math.round(elapsed * 100) / 100, ...failure }, "call");
      },
    });
  };
}

/** The cause is for the log alone: callers never see it. */
function failureOf(error: ConnectError): { reason: string; err?: unknown } {
  const reason = failureSummary(error);
  return error.cause === undefined || mayQuoteCaller(error) ? { reason } : { reason, err: error.cause };
}
