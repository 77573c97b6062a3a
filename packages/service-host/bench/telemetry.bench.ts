// What a call costs in processor time with its metrics, and with its spans: `node packages/service-host/bench/telemetry.bench.ts`.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { create } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { createContextValues, type Interceptor, type UnaryRequest, type UnaryResponse } from "@connectrpc/connect";
import { createLogger, hostSettings, outgoingCallInterceptor, readSettings, startTelemetry } from "../src/index.ts";
import { observationInterceptor } from "../src/interceptors/observation.ts";
import { traceInterceptor } from "../src/interceptors/trace.ts";
import { EchoService } from "../tests/rig/echo-service.ts";

const calls = 4_000;
const rounds = 7;
const never = new AbortController().signal;
const method = EchoService.method.echo;
const collector = createServer((request, response) => request.resume().on("end", () => response.end("{}")));
await new Promise<void>((resolve) => collector.listen(0, resolve));
const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
const logger = createLogger({ service: "bench", level: "info" });

function chain(env: Record<string, string>): { run: (count: number) => Promise<void>; close: () => Promise<void> } {
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
  return {
    close: () => telemetry.close(),
    async run(count) {
      for (let i = 0; i < count; i++) await next(request() as never);
    },
  };
}

const variants = {
  "without an endpoint": chain({}),
  "TRACE_RATIO=0": chain({ OTEL_EXPORTER_OTLP_ENDPOINT, TRACE_RATIO: "0" }),
  "TRACE_RATIO=0.01": chain({ OTEL_EXPORTER_OTLP_ENDPOINT, TRACE_RATIO: "0.01", TRACES_PER_SECOND: "1000000" }),
  "TRACE_RATIO=1, 100 a second": chain({ OTEL_EXPORTER_OTLP_ENDPOINT }),
  "TRACE_RATIO=1, unbounded": chain({ OTEL_EXPORTER_OTLP_ENDPOINT, TRACES_PER_SECOND: "1000000" }),
};
const microseconds = new Map(Object.keys(variants).map((name) => [name, [] as number[]]));
for (const { run } of Object.values(variants)) await run(calls / 4);
for (let round = 0; round < rounds; round++) {
  for (const [name, { run }] of Object.entries(variants)) {
    const before = process.cpuUsage();
    await run(calls);
    const { user, system } = process.cpuUsage(before);
    microseconds.get(name)?.push((user + system) / calls);
  }
}
for (const [name, values] of microseconds) {
  const sorted = values.toSorted((a, b) => a - b);
  console.log(
    `${name.padEnd(30)} ${sorted[3]?.toFixed(2)} µs of CPU a call (${sorted[0]?.toFixed(2)} to ${sorted.at(-1)?.toFixed(2)})`,
  );
}
process.exit(0);
