import { defineMetrics, metric } from "@aiplatform/telemetry";

/** Everything that a serving runtime's /metrics may show. */
export const servingRuntimeMetrics = defineMetrics({
  serving_prediction_duration_seconds: metric.histogram({
    help: "Time of a prediction, its wait included.",
    labels: { outcome: "`done`, or the kind of failure" },
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    appears: "with the first prediction",
  }),
  serving_in_flight: metric.gauge({ help: "Predictions under way, waiting ones included." }),
  serving_ready: metric.gauge({ help: "1 while predictions are answered." }),
});
