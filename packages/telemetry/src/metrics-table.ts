import type { Metric, MetricTable } from "./metric.ts";

/** What the type of a metric is called where Prometheus shows it. */
const typeOf: Readonly<Record<Metric["kind"], string>> = {
  counter: "counter",
  total: "counter",
  histogram: "histogram",
  level: "gauge",
  gauge: "gauge",
};

/** The metrics of a table as a table in Markdown. */
export function metricsTable(table: MetricTable): string {
  const rows = Object.entries(table).map(([name, metric]) => {
    const labels = Object.entries(metric.labels).map(([label, meaning]) => `\`${label}\`: ${meaningText(meaning)}`);
    const appears = metric.appears === undefined ? "" : ` Appears ${metric.appears}.`;
    return `| \`${name}\` | ${typeOf[metric.kind]} | ${labels.join("; ")} | ${metric.help}${appears} |`;
  });
  return ["| metric | type | labels | says |", "| --- | --- | --- | --- |", ...rows, ""].join("\n");
}

function meaningText(meaning: string | readonly string[]): string {
  return typeof meaning === "string" ? meaning : meaning.map((value) => `\`${value}\``).join(", ");
}
