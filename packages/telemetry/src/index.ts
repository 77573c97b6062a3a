export { createInstruments, type InstrumentOf, type Instruments } from "./instruments.ts";
export type { Measuring } from "./measuring.ts";
export { defineMetrics, type Metric, type MetricTable, metric } from "./metric.ts";
export { metricsTable } from "./metrics-table.ts";
export { inBackground, inSpan, markFailed } from "./spans.ts";
export { currentRequestId, currentTraceparent, nameTrace, traceFrom, traceOf, withRequestId } from "./trace-context.ts";
