import type { Metric } from "@aiplatform/telemetry";
import { Code } from "@connectrpc/connect";
import { declaredMetrics } from "./declared-metrics.ts";
import type { Family } from "./exposition.ts";
import { type Selection, selectionsOf } from "./promql.ts";

/** What Prometheus adds to every series of a pod. */
const targetLabels: ReadonlySet<string> = new Set(["job", "namespace", "pod", "instance"]);
const jobs = ["gateway", "identity", "training", "content", "deployments", "data"];
/** Labels whose values show up with failures alone, and what they can be. */
const statuses: Readonly<Record<string, RegExp>> = {
  http_response_status_code: /^[1-5]\d\d$/,
  rpc_response_status_code: new RegExp(
    `^(OK|${Object.keys(Code)
      .filter((key) => Number.isNaN(Number(key)))
      .join("|")})$`,
  ),
};
const examplesOf: Readonly<Record<string, readonly string[]>> = {
  http_response_status_code: ["200", "401", "404", "429", "500", "503"],
  rpc_response_status_code: ["OK", ...Object.keys(Code).filter((key) => Number.isNaN(Number(key)))],
};

/** What is wrong with a query, given what the processes really show; nothing when it can be answered. */
export function problemsOf(query: string, shown: ReadonlyMap<string, Family>, legend = ""): string[] {
  try {
    const selections = selectionsOf(query);
    const kept = new Set(selections.flatMap(({ grouped }) => grouped));
    const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
    const lost = named
      .filter((label) => !kept.has(label))
      .map((label) => `the legend has ${label}, the query does not`);
    return [...selections.flatMap((selection) => problemsOfSelection(selection, shown)), ...lost];
  } catch (error) {
    if (error instanceof SyntaxError) return [error.message];
    throw error;
  }
}

function problemsOfSelection(selection: Selection, shown: ReadonlyMap<string, Family>): string[] {
  const { metric, matchers, grouped, isRated } = selection;
  if (metric === "up") return jobProblems(selection);
  const name = metric.replace(/_(bucket|count|sum)$/, "");
  const found = declarationOf(metric) ?? declarationOf(name);
  if (!found) return [`no process declares ${metric}`];
  const family = shown.get(metric) ?? shown.get(name);
  // What a serving runtime shows is compared with its declarations by a test of its own, which has a model to serve.
  const isElsewhere = metric in (declaredMetrics["serving"] ?? {});
  if (!family && found.appears === undefined && !isElsewhere) return [`no process shows ${metric}`];
  const isHistogram = found.kind === "histogram";
  const isCounter = found.kind === "counter" || found.kind === "total" || isHistogram;
  return [
    ...(isHistogram === (name !== metric) ? [] : [`${metric} is no series of its histogram`]),
    ...(isCounter === isRated ? [] : [`${metric} is ${isRated ? "no counter" : "a counter"}`]),
    ...[...grouped, ...matchers.map(({ label }) => label)]
      .filter((label) => !(label in found.labels || targetLabels.has(label) || (isHistogram && label === "le")))
      .map((label) => `${metric} has no label ${label}`),
    ...(metric.endsWith("_bucket") && !grouped.includes("le") ? [`${metric} is summed without le`] : []),
    ...matchers.flatMap((matcher) => matcherProblems(found, family, matcher)),
    ...jobProblems(selection),
  ];
}

function jobProblems({ metric, matchers }: Selection): string[] {
  return matchers
    .filter(({ label, op, value }) => label === "job" && !jobs.some((job) => matches(job, op, value)))
    .map(({ value }) => `${metric}: no service is ${value}`);
}

/** A matcher that nothing could ever match, or that excludes nothing. */
function matcherProblems(found: Metric, family: Family | undefined, matcher: Selection["matchers"][number]): string[] {
  const { label, op, value } = matcher;
  if (targetLabels.has(label)) return [];
  const declared = found.labels[label];
  const positive = op.startsWith("!") ? (op === "!=" ? "=" : "=~") : op;
  const known =
    examplesOf[label] ??
    (Array.isArray(declared) ? declared : (family?.samples ?? []).map(({ labels }) => labels[label] ?? ""));
  if (op === "=" && statuses[label] && !statuses[label].test(value)) return [`${label} is never ${value}`];
  const alternatives = positive === "=~" && Array.isArray(declared) ? value.split("|") : [value];
  return alternatives
    .filter((each) => !known.some((one: string) => matches(one, positive, each)))
    .filter(() => !(op.startsWith("!") && found.appears !== undefined))
    .map((each) => `${label} is never ${each}`);
}

function matches(text: string, op: string, value: string): boolean {
  if (op === "=") return text === value;
  if (op === "!=") return text !== value;
  const isLike = new RegExp(`^(?:${value})$`).test(text);
  return op === "=~" ? isLike : !isLike;
}

function declarationOf(name: string): Metric | undefined {
  return Object.values(declaredMetrics).find((table) => name in table)?.[name];
}
