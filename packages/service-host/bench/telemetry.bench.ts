// What a call costs in processor time with its metrics, and with its spans:
//   node packages/service-host/bench/telemetry.bench.ts [--rounds 5]

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { create } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { createContextValues, type Interceptor, type UnaryRequest, type UnaryResponse } from "@connectrpc/connect";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { cpuOfCalls } from "../../../bench/harness/cpu-of-calls.ts";
import { createLogger, hostSettings, outgoingCallInterceptor, readSettings, startTelemetry } from "../src/index.ts";
import { observationInterceptor } from "../src/interceptors/observation.ts";
import { traceInterceptor } from "../src/interceptors/trace.ts";
import { EchoService } from "../tests/rig/echo-service.ts";

const wholeRound = 4_000;
const never = new AbortController().signal;
const method = EchoService.method.echo;
const collector = createServer((request, response) => request.resume().on("end", () => response.end("{}")));
await new Promise<void>((resolve) => collector.listen(0, resolve));
const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
const logger = createLogger({ service: "bench", level: "info" });

/** A call under these settings. */
function chain(env: Record<string, string>): () => Promise<unknown> {
  const telemetry = startTelemetry({ service: "bench", config: readSettings(hostSettings, env) });
  const { meter } = telemetry;
  const interceptors: Interceptor[] = [
    traceInterceptor(telemetry.tracer),
    observationInterceptor({ logger, meter }),
    outgoingCallInterceptor(telemetry),
  ];
  const answer = async (request: UnaryRequest): Promise<UnaryResponse> => ({
    ...{ stream: false, service: request.service, method: request.method },
    ...{ header: new Headers(), trailer: new Headers(), message: request.message },
  });
  const next = interceptors.reduceRight<ReturnType<Interceptor>>(
    (inner, each) => each(inner),
    answer as ReturnType<Interceptor>,
  );
  const request = () => ({
    ...{ stream: false as const, service: method.parent, method, requestMethod: "POST", url: "http://bench" },
    ...{ signal: never, header: new Headers(), contextValues: createContextValues() },
    message: create(StringValueSchema),
  });
  return async () => next(request() as never);
}

const variants = {
  "without an endpoint": chain({}),
  "TRACE_RATIO=0": chain({ OTEL_EXPORTER_OTLP_ENDPOINT, TRACE_RATIO: "0" }),
  "TRACE_RATIO=0.01": chain({ OTEL_EXPORTER_OTLP_ENDPOINT, TRACE_RATIO: "0.01", TRACES_PER_SECOND: "1000000" }),
  "TRACE_RATIO=1, 100 a second": chain({ OTEL_EXPORTER_OTLP_ENDPOINT }),
  "TRACE_RATIO=1, unbounded": chain({ OTEL_EXPORTER_OTLP_ENDPOINT, TRACES_PER_SECOND: "1000000" }),
};

export const telemetryCost: Bench = {
  title: "Metrics and spans of a call",
  measure: ({ rounds, share }) => cpuOfCalls({ rounds, calls: Math.ceil(wholeRound * share) }, variants),
};

if (import.meta.main) {
  await runBench(telemetryCost);
  // Exporters and the collector would keep it.
  process.exit();
}
