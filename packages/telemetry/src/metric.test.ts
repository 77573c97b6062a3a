import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { describe, expect, it } from "vitest";
import { createInstruments } from "./instruments.ts";
import { defineMetrics, metric } from "./metric.ts";
import { metricsTable } from "./metrics-table.ts";

const table = defineMetrics({
  mails_total: metric.counter({ help: "Mails.", labels: { status: ["sent", "failed"], kind: ["new", "again"] } }),
  calls_total: metric.counter({ help: "Calls.", labels: { route: "pattern of the path" } }),
  waiting: metric.gauge({ help: "Waiting." }),
  wait_seconds: metric.histogram({ help: "Waits.", buckets: [1, 2], appears: "with the first wait" }),
});

async function measured(work: (instruments: ReturnType<typeof createInstruments<typeof table>>) => void) {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter });
  const provider = new MeterProvider({ readers: [reader] });
  work(createInstruments(provider.getMeter("x"), table));
  await reader.forceFlush();
  const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  await provider.shutdown();
  return new Map(
    metrics.map(({ descriptor, dataPoints }) => [
      descriptor.name,
      dataPoints.map(({ attributes, value }) => ({ attributes, value })),
    ]),
  );
}

describe("the name of a metric", () => {
  it.each([
    ["a counter that does not say so", { mails: metric.counter({ help: "" }) }],
    ["a gauge that looks like a counter", { mails_total: metric.gauge({ help: "" }) }],
    ["a histogram without its unit", { wait: metric.histogram({ help: "" }) }],
    ["in capitals", { Waiting: metric.gauge({ help: "" }) }],
    ["whose label is not spelled as one", { waiting: metric.gauge({ help: "", labels: { "a-b": "x" } }) }],
  ])("is refused for %s", (_, wrong) => {
    expect(() => defineMetrics(wrong)).toThrow(TypeError);
  });
});

describe("the instruments of a table", () => {
  it("begin at zero where every value of their labels is declared, and only there", async () => {
    const seen = await measured(() => {});
    expect(seen.get("mails_total")).toEqual(
      [
        { status: "sent", kind: "new" },
        { status: "sent", kind: "again" },
        { status: "failed", kind: "new" },
        { status: "failed", kind: "again" },
      ].map((attributes) => ({ attributes, value: 0 })),
    );
    expect(seen.get("calls_total")).toBeUndefined();
  });

  it("leave out of a scrape what cannot be looked at", async () => {
    const seen = await measured(({ waiting, calls_total }) => {
      calls_total.add(1, { route: "/" });
      waiting.observe(() => {
        throw new Error("away");
      });
    });
    expect(seen.get("waiting") ?? []).toEqual([]);
    expect(seen.get("calls_total")).toEqual([{ attributes: { route: "/" }, value: 1 }]);
  });

  it("measure nothing without a meter", () => {
    const { calls_total, waiting, wait_seconds } = createInstruments(undefined, table);
    calls_total.add(1, { route: "/" });
    wait_seconds.record(1);
    expect(() => waiting.observe(() => {})()).not.toThrow();
  });
});

describe("the table for readers", () => {
  it("has each name, its type, what its labels mean, and when it shows up", () => {
    expect(metricsTable(table).split("\n").slice(2)).toEqual([
      "| `mails_total` | counter | `status`: `sent`, `failed`; `kind`: `new`, `again` | Mails. |",
      "| `calls_total` | counter | `route`: pattern of the path | Calls. |",
      "| `waiting` | gauge |  | Waiting. |",
      "| `wait_seconds` | histogram |  | Waits. Appears with the first wait. |",
      "",
    ]);
  });
});
