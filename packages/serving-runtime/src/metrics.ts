import type { IncomingMessage, ServerResponse } from "node:http";
import { createInstruments } from "@aiplatform/telemetry";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { servingRuntimeMetrics } from "./runtime-metrics.ts";

/** What is shown of an instance as it is at each scrape. */
export interface ShownInstance {
  inFlight(): number;
  isReady(): boolean;
}

/** Counts predictions, for Prometheus. */
export interface PredictionMetrics {
  /** `outcome`: `done` or the kind of failure. */
  predicted(outcome: string, seconds: number): void;
  show(instance: ShownInstance): void;
  /** Answers a request for all of it. */
  expose(request: IncomingMessage, response: ServerResponse): void;
}

export function createPredictionMetrics(): PredictionMetrics {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const resource = resourceFromAttributes({ "service.name": "serving-runtime" });
  const meter = new MeterProvider({ resource, readers: [exporter] }).getMeter("aiplatform");
  const instruments = createInstruments(meter, servingRuntimeMetrics);
  return {
    predicted: (outcome, seconds) => instruments.serving_prediction_duration_seconds.record(seconds, { outcome }),
    show({ inFlight, isReady }) {
      instruments.serving_in_flight.observe((report) => report(inFlight()));
      instruments.serving_ready.observe((report) => report(isReady() ? 1 : 0));
    },
    expose: (request, response) => exporter.getMetricsRequestHandler(request, response),
  };
}
