import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./install.mjs";

const page = join("docs", "operations", "monitoring.md");

/** Where each process declares its metrics, and under which name. */
const tables = [
  ["gateway", "services/gateway/src/gateway-metrics.ts", "gatewayMetrics"],
  ["identity", "services/identity/src/identity-metrics.ts", "identityMetrics"],
  ["training", "services/training/src/training-metrics.ts", "trainingMetrics"],
  ["content", "services/content/src/content-metrics.ts", "contentMetrics"],
  ["deployments", "services/deployments/src/deployments-metrics.ts", "deploymentsMetrics"],
  ["serving runtime", "packages/serving-runtime/src/runtime-metrics.ts", "servingRuntimeMetrics"],
];

const imports = tables.map(
  ([, path, name]) => `import { ${name} } from ${JSON.stringify(pathToFileURL(join(root, path)).href)};`,
);

/** A program that prints one table of all metrics, with the processes that have each. */
const program = `
import { metricsTable } from "@aiplatform/telemetry";
${imports.join("\n")}
const declared = [${tables.map(([process, , name]) => `[${JSON.stringify(process)}, ${name}]`).join(", ")}];
const services = 5;
const owners = new Map();
for (const [process, table] of declared)
  for (const name of Object.keys(table)) owners.set(name, [...(owners.get(name) ?? []), process]);
const groups = new Map();
for (const [name, processes] of owners) {
  const group = processes.length === services ? "Every service" : processes.length === services - 1 ? "Every service but " + declared.slice(0, services).map(([process]) => process).find((process) => !processes.includes(process)) : processes.join(", ");
  groups.set(group, [...(groups.get(group) ?? []), name]);
}
const all = Object.assign({}, ...declared.map(([, table]) => table));
const sections = [...groups].map(([group, names]) =>
  "### " + group[0].toUpperCase() + group.slice(1) + "\\n\\n" + metricsTable(Object.fromEntries(names.map((name) => [name, all[name]]))));
process.stdout.write(sections.join("\\n"));`;

/** The page's path → its text with the tables of today's metrics. `evaluate` runs a program of ours and answers what it prints. */
export async function pageWithMetrics(evaluate) {
  const sections = (await evaluate(program)).trim();
  const text = readFileSync(join(root, page), "utf8");
  const place = /(<!-- metrics -->\n)[\s\S]*?(<!-- \/metrics -->)/;
  if (!place.test(text)) throw new Error(`${page} has no place for the metrics`);
  return [page, text.replace(place, (_, before, after) => `${before}\n${sections}\n\n${after}`)];
}
