export {
  type Counting,
  createInstruments,
  type InstrumentOf,
  type Instruments,
  type Labels,
  type Showing,
  type Timing,
} from "./instruments.ts";
export type { Measuring } from "./measuring.ts";
export { defineMetrics, type LabelMeaning, type Metric, type MetricTable, metric } from "./metric.ts";
export { metricsTable } from "./metrics-table.ts";
export { inBackground, inSpan, markFailed, type Work } from "./spans.ts";
export {
  currentRequestId,
  currentTraceparent,
  nameTrace,
  type TraceHeaders,
  traceFrom,
  traceOf,
  withRequestId,
} from "./trace-context.ts";
