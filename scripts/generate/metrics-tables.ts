import { join } from "node:path";
import { type MetricTable, metricsTable } from "@aiplatform/telemetry";
import { servingRuntimeMetrics } from "../../packages/serving-runtime/src/runtime-metrics.ts";
import { contentMetrics } from "../../services/content/src/content-metrics.ts";
import { dataMetrics } from "../../services/data/src/data-metrics.ts";
import { deploymentsMetrics } from "../../services/deployments/src/deployments-metrics.ts";
import { gatewayMetrics } from "../../services/gateway/src/gateway-metrics.ts";
import { identityMetrics } from "../../services/identity/src/identity-metrics.ts";
import { trainingMetrics } from "../../services/training/src/training-metrics.ts";
import { pageWith } from "./markdown.ts";

const services: Readonly<Record<string, MetricTable>> = {
  gateway: gatewayMetrics,
  identity: identityMetrics,
  training: trainingMetrics,
  content: contentMetrics,
  deployments: deploymentsMetrics,
  data: dataMetrics,
};
const declared: Readonly<Record<string, MetricTable>> = { ...services, "serving runtime": servingRuntimeMetrics };

/** The processes that have a metric, as the heading of its table. */
function headingOf(name: string): string {
  const processes = Object.keys(declared).filter((process) => name in (declared[process] ?? {}));
  const without = Object.keys(services).filter((service) => !processes.includes(service));
  const areServices = processes.every((process) => process in services);
  if (areServices && without.length === 0) return "Every service";
  if (areServices && without.length === 1) return `Every service but ${without[0]}`;
  const [first = "", ...others] = processes;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(", ");
}

/** Path and text of the page with the tables of all metrics. */
export function pageWithMetrics(): [path: string, text: string] {
  const page = join("docs", "operations", "monitoring.md");
  const all: MetricTable = Object.assign({}, ...Object.values(declared));
  const groups = Map.groupBy(Object.entries(all), ([name]) => headingOf(name));
  const sections = [...groups].map(([heading, own]) => `### ${heading}\n\n${metricsTable(Object.fromEntries(own))}`);
  return [page, pageWith(page, "metrics", sections.join("\n").trim())];
}
