import {
  constants,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { createInstruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import { runtimeMetrics } from "./host-metrics.ts";

const gcKinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weakcb"],
] as const);

/** Measures the process until it is told to stop. */
export function observeRuntime(meter: Meter): { stop(): void } {
  const instruments = createInstruments(meter, runtimeMetrics);
  instruments.process_start_time_seconds.observe((report) => report(performance.timeOrigin / 1_000));
  instruments.process_cpu_seconds_total.observe((report) => {
    const { user, system } = process.cpuUsage();
    report(user / 1e6, { mode: "user" });
    report(system / 1e6, { mode: "system" });
  });
  instruments.process_resident_memory_bytes.observe((report) => report(process.memoryUsage.rss()));
  instruments.nodejs_active_resources.observe((report) => report(process.getActiveResourcesInfo().length));
  instruments.nodejs_heap_bytes.observe((report) => {
    const { used_heap_size, total_heap_size, heap_size_limit } = getHeapStatistics();
    report(used_heap_size, { state: "used" });
    report(total_heap_size, { state: "total" });
    report(heap_size_limit, { state: "limit" });
  });
  let busy = performance.eventLoopUtilization();
  instruments.nodejs_eventloop_utilisation.observe((report) => {
    const now = performance.eventLoopUtilization();
    report(performance.eventLoopUtilization(now, busy).utilization);
    busy = now;
  });
  const resolution = 20;
  const delay = monitorEventLoopDelay({ resolution });
  // The histogram holds whole intervals: being on time is the resolution, and before the first interval it is empty.
  const late = (nanoseconds: number) => Math.max(0, (nanoseconds || 0) / 1e9 - resolution / 1_000);
  instruments.nodejs_eventloop_delay_seconds.observe((report) => {
    // From the first look on: it wakes the process fifty times a second, which is for nothing where no one looks.
    delay.enable();
    const empty = delay.count === 0;
    report(empty ? 0 : late(delay.percentile(50)), { statistic: "p50" });
    report(empty ? 0 : late(delay.percentile(99)), { statistic: "p99" });
    report(empty ? 0 : late(delay.max), { statistic: "max" });
    delay.reset();
  });
  const collections = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = gcKinds.get(kindOf(entry));
      if (kind) instruments.nodejs_gc_duration_seconds.record(entry.duration / 1_000, { kind });
    }
  });
  collections.observe({ entryTypes: ["gc"] });
  return {
    stop() {
      delay.disable();
      collections.disconnect();
    },
  };
}

function kindOf(entry: PerformanceEntry): number {
  const detail: unknown = Reflect.get(entry, "detail");
  return typeof detail === "object" && detail !== null && "kind" in detail ? Number(detail.kind) : 0;
}
