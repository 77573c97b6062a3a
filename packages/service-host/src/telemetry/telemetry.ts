import { context, type Meter, type Tracer, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { observeRuntime } from "./runtime-observation.ts";
import { TraceSampler } from "./trace-sampler.ts";

/** One service's measurements; nothing of it is global but the context manager, which all of a process share. */
export interface Telemetry {
  readonly meter: Meter;
  readonly tracer: Tracer;
  /** The metrics in Prometheus' exposition format. */
  readonly exposeMetrics: () => Promise<string>;
  /** Sends what is still queued. */
  close(): Promise<void>;
}

/** The settings of traces. */
export interface TelemetryConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  readonly TRACE_RATIO: number;
  readonly TRACES_PER_SECOND: number;
}

export interface TelemetryOptions {
  readonly service: string;
  readonly config: TelemetryConfig;
  /** Whether callers may have their traces kept, within limits; false where the public may call. Default true. */
  readonly followsCallers?: boolean;
}

/** Most spans that wait to be sent; more are dropped. */
const queuedSpans = 4_096;

let isContextManaged = false;

/** The API refuses a second manager, and writes the stack trace of an error for it: that takes longer than all else here. */
function manageContext(): void {
  if (isContextManaged) return;
  isContextManaged = true;
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}

/** Spans are made only where there is an endpoint to send them to; without it the tracer costs next to nothing. */
export function startTelemetry({ service, config, followsCallers = true }: TelemetryOptions): Telemetry {
  manageContext();
  const resource = resourceFromAttributes({
    "service.name": service,
    "service.instance.id": `${service}-${process.pid}`,
  });
  // Only read from: the admin port serves what the serializer writes.
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const meters = new MeterProvider({ resource, readers: [exporter] });
  const meter = meters.getMeter("aiplatform");
  const runtime = observeRuntime(meter);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_RATIO: ratio, TRACES_PER_SECOND: perSecond } = config;
  const tracers =
    endpoint === undefined
      ? undefined
      : new TracerProvider({
          resource,
          sampler: new TraceSampler({ ratio, perSecond, followsCallers }),
          spanProcessors: [spanProcessor(endpoint)],
        });
  return {
    meter,
    tracer: (tracers ?? trace).getTracer("aiplatform"),
    exposeMetrics: async () => serializer.serialize((await exporter.collect()).resourceMetrics),
    async close() {
      runtime.stop();
      await tracers?.shutdown();
      await meters.shutdown();
    },
  };
}

function spanProcessor(endpoint: string): BatchSpanProcessor {
  const url = new URL("v1/traces", endpoint.endsWith("/") ? endpoint : `${endpoint}/`);
  const exporter = new OTLPTraceExporter({ url: url.href });
  return new BatchSpanProcessor({ exporter, maxQueueSize: queuedSpans, scheduledDelayMillis: 1_000 });
}
