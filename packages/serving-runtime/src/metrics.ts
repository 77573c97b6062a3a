import type { IncomingMessage, ServerResponse } from "node:http";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider } from "@opentelemetry/sdk-metrics";

/** Counts predictions, for Prometheus. */
export interface PredictionMetrics {
  /** `outcome`: `done` or the kind of failure. */
  predicted(outcome: string, seconds: number): void;
  /** Shows a number as it is when somebody looks. */
  observe(name: string, description: string, read: () => number): void;
  /** Answers a request for all of it. */
  expose(request: IncomingMessage, response: ServerResponse): void;
}

/** Seconds; from a small model to a long handler. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createPredictionMetrics(): PredictionMetrics {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const resource = resourceFromAttributes({ "service.name": "serving-runtime" });
  const meter = new MeterProvider({ resource, readers: [exporter] }).getMeter("aiplatform");
  const duration = meter.createHistogram("serving.prediction.duration", {
    description: "Time of a prediction, its wait included, by outcome.",
    unit: "s",
    advice: { explicitBucketBoundaries: buckets },
  });
  return {
    predicted: (outcome, seconds) => duration.record(seconds, { outcome }),
    observe(name, description, read) {
      meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()));
    },
    expose: (request, response) => exporter.getMetricsRequestHandler(request, response),
  };
}
