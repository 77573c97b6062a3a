import { context, type Meter, type Tracer, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

/** One service's measurements; nothing of it is global but the context manager, which all of a process share. */
export interface Telemetry {
  readonly meter: Meter;
  readonly tracer: Tracer;
  /** Answers a request for the metrics in Prometheus' exposition format. */
  readonly exposeMetrics: PrometheusExporter["getMetricsRequestHandler"];
  /** Sends what is still queued. */
  close(): Promise<void>;
}

/** Spans are made only when `tracesEndpoint` is given; without it the tracer costs next to nothing. */
export function startTelemetry(o: { service: string; tracesEndpoint: string | undefined }): Telemetry {
  // Answers false, and changes nothing, when another service of the same process came first.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const resource = resourceFromAttributes({ "service.name": o.service });
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const meters = new MeterProvider({ resource, readers: [exporter] });
  const spans = o.tracesEndpoint === undefined ? undefined : spanProcessor(o.tracesEndpoint);
  const tracers = spans && new TracerProvider({ resource, spanProcessors: [spans] });
  return {
    meter: meters.getMeter("aiplatform"),
    tracer: (tracers ?? trace).getTracer("aiplatform"),
    exposeMetrics: exporter.getMetricsRequestHandler.bind(exporter),
    async close() {
      await tracers?.shutdown();
      await meters.shutdown();
    },
  };
}

function spanProcessor(endpoint: string): BatchSpanProcessor {
  const url = new URL("v1/traces", endpoint.endsWith("/") ? endpoint : `${endpoint}/`);
  return new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: url.href }) });
}
