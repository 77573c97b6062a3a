import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { platformReaders } from "@aiplatform/event-stream";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, ask, command, commandsPath, metricsPath, until } from "../mesh/rest.ts";
import { declaredMetrics } from "./declared-metrics.ts";
import { type Family, readExposition } from "./exposition.ts";
import { alertSections, alerts, alertsPage, queries } from "./monitoring-files.ts";
import { problemsOf } from "./query-problems.ts";
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from "./trace-receiver.ts";

const [server, client, producer, consumer] = [2, 3, 4, 5];
const clientsTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
const commandRpc = "aiplatform.training.v1.ControlCommandService/CreateTrainingControlCommand";
const acknowledgeRpc = "aiplatform.training.v1.TrainerService/AcknowledgeCommand";
const idempotencyKey = randomUUID();

let directory: string;
let receiver: TraceReceiver;
let platform: LocalPlatform;
/** What each process shows, by its name. */
const shown = new Map<string, Map<string, Family>>();
let sent: Answer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "one-trace-"));
  receiver = await startTraceReceiver();
  // All processes inherit it, the trainers too.
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = receiver.url;
  platform = await startPlatform({ directory, model: false });
  const body = { action: "pause", idempotency_key: idempotencyKey };
  sent = await ask(platform.description, {
    path: commandsPath(platform.description),
    body,
    headers: { traceparent: `00-${clientsTrace}-00f067aa0ba902b7-00` },
  });
  await until(
    "the trace",
    40,
    async () => ofTrace(),
    (spans) => chain.every((find) => find(spans)),
  );
});

afterAll(async () => {
  await platform?.stop();
  await receiver?.[Symbol.asyncDispose]();
  delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  await rm(directory, { recursive: true, force: true });
});

const ofTrace = () => receiver.spans.filter(({ traceId }) => traceId === clientsTrace);

type Wanted = {
  service: string;
  kind: number;
  name: string | RegExp;
  below?: (spans: readonly ReceivedSpan[]) => ReceivedSpan | undefined;
};

/** Finds a span of the trace that stands directly below another. */
const span =
  ({ service, kind, name, below }: Wanted) =>
  (spans: readonly ReceivedSpan[]) => {
    const above = below?.(spans);
    return spans.find(
      (each) =>
        each.service === service &&
        each.kind === kind &&
        (typeof name === "string" ? each.name === name : name.test(each.name)) &&
        (!below || (above !== undefined && each.parentSpanId === above.spanId)),
    );
  };

const request = span({ service: "gateway", kind: server, name: /^POST \/pipelines\/.*\/commands$/ });
const call = span({ service: "gateway", kind: client, name: commandRpc, below: request });
const answer = span({ service: "training", kind: server, name: commandRpc, below: call });
const stored = span({ service: "training", kind: client, name: "insert job_log", below: answer });
const announced = span({ service: "training", kind: producer, name: /^send aiplatform\.training\./, below: answer });
const audited = span({ service: "identity", kind: consumer, name: /^process /, below: announced });
const applied = span({ service: "mnist-trainer", kind: consumer, name: "apply pause", below: answer });
const told = span({ service: "mnist-trainer", kind: client, name: acknowledgeRpc, below: applied });
const heard = span({ service: "training", kind: server, name: acknowledgeRpc, below: told });
const kept = span({ service: "training", kind: client, name: "insert job_log", below: heard });
const chain = [request, call, answer, stored, announced, audited, applied, told, heard, kept];

describe("a command that a client sends within a trace of its own", () => {
  it("is one trace, from the edge to the database, the events, who hears of it, the trainer, and back", () => {
    expect(sent.status).toBe(201);
    const spans = ofTrace();
    expect(chain.map((find) => find(spans)?.name)).toEqual(chain.map(() => expect.any(String)));
    expect(request(spans)?.parentSpanId).toBe("00f067aa0ba902b7");
  });

  it("leaves nothing of what was sent, and no credential, in any span", () => {
    const { bearer, api_key, organisation_id } = platform.description;
    const all = receiver.spans.map(({ text }) => text).join("\n");
    for (const secret of [idempotencyKey, bearer, api_key, platform.mongodbUri]) expect(all).not.toContain(secret);
    expect(
      ofTrace()
        .map(({ text }) => text)
        .join("\n"),
    ).not.toContain(organisation_id);
  });
});

describe("background work", () => {
  it("has a trace of its own", async () => {
    const swept = () => receiver.spans.find(({ service, name }) => service === "training" && name === "job-sweep");
    const found = await until(
      "a sweep",
      30,
      async () => swept(),
      (each) => each !== undefined,
    );
    expect(found).toMatchObject({ parentSpanId: undefined });
    expect(found?.traceId).not.toBe(clientsTrace);
  });
});

describe("an answer that fails", () => {
  it("is marked in its span, without its text", async () => {
    const path = metricsPath({ ...platform.description, run_id: randomUUID() });
    expect((await ask(platform.description, { path })).status).toBe(404);
    const failed = (span: ReceivedSpan) =>
      span.service === "gateway" && span.attributes["http.response.status_code"] === 404;
    const found = await until(
      "the span",
      20,
      async () => receiver.spans.find(failed),
      (each) => each !== undefined,
    );
    expect(found?.name).toBe("GET /pipelines/{pipeline_id}/runs/{run_id}/metrics/");
  });
});

/** What all processes show, as one. */
function together(): Map<string, Family> {
  const all = new Map<string, Family>();
  for (const [name, { type, samples }] of [...shown.values()].flatMap((families) => [...families]))
    all.set(name, { type, samples: [...(all.get(name)?.samples ?? []), ...samples] });
  return all;
}

const scrape = async (process: string) =>
  readExposition(await (await fetch(`${platform.adminUrls[process]}/metrics`)).text());

/** Traffic of every kind that boards show and no test above makes. */
async function traffic(): Promise<void> {
  const { description } = platform;
  const watching = new AbortController();
  const headers = { authorization: `Bearer ${description.bearer}` };
  const { pipeline_id, run_id } = description;
  const stream = `${description.gateway}/platform/pipelines/${pipeline_id}/runs/${run_id}/metrics/stream`;
  const { body } = await fetch(stream, { headers, signal: watching.signal });
  const reader = body?.getReader();
  await reader?.read();
  await ask(description, { path: `/platform/deployments/${randomUUID()}/v2/health/ready` });
  await ask(description, { path: "/platform/roles", bearer: "no such credential" });
  await command(description, "resume");
  const points = async () => (await scrape("training")).get("training_metrics_points_total")?.samples[0]?.value ?? 0;
  await until("points of metrics", 30, points, (number) => number > 0);
  for (const [name, url] of Object.entries(platform.adminUrls)) {
    await fetch(`${url}/readyz`);
    shown.set(name, await scrape(name));
  }
  watching.abort();
}

describe("the metrics of every process", () => {
  beforeAll(traffic);

  const names = Object.keys(declaredMetrics).filter((name) => name !== "serving");

  it.each(names)("of %s are those that are declared, with their types and labels", (name) => {
    const table = declaredMetrics[name] ?? {};
    const types = { counter: "counter", total: "counter", histogram: "histogram", level: "gauge", gauge: "gauge" };
    const families = [...(shown.get(name) ?? [])].filter(([metric]) => metric !== "target_info");
    expect(families.length).toBeGreaterThan(15);
    for (const [metric, { type, samples }] of families) {
      const declared = table[metric];
      expect([metric, type]).toEqual([metric, declared && types[declared.kind]]);
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)).filter((label) => label !== "le"));
      expect([metric, [...labels].sort()]).toEqual([metric, Object.keys(declared?.labels ?? {}).sort()]);
    }
  });

  it.each(names)("of %s lack none that is declared to be there from the start", (name) => {
    const families = shown.get(name);
    const always = Object.entries(declaredMetrics[name] ?? {}).filter(([, { appears }]) => appears === undefined);
    expect(always.map(([metric]) => metric).filter((metric) => !families?.has(metric))).toEqual([]);
  });

  it("tell what happened", () => {
    const value = (process: string, metric: string, labels: Record<string, string>) =>
      shown
        .get(process)
        ?.get(metric.replace(/_(count|sum)$/, ""))
        ?.samples.find(
          (sample) =>
            sample.name === metric &&
            Object.entries(labels).every(([label, wanted]) => sample.labels[label] === wanted),
        )?.value;
    const paused = { action: "pause" };
    expect(value("training", "training_commands_total", { ...paused, status: "pending" })).toBe(1);
    expect(value("training", "training_commands_total", { ...paused, status: "applied" })).toBe(1);
    expect(value("training", "training_command_apply_seconds_count", paused)).toBe(1);
    expect(value("training", "training_metrics_points_total", {})).toBeGreaterThan(0);
    expect(value("training", "trainer_report_streams", {})).toBeGreaterThan(0);
    expect(value("gateway", "sse_connections", {})).toBe(1);
    expect(value("identity", "dependency_up", { dependency: "mongodb" })).toBe(1);
    expect(
      value("identity", "consumer_events_total", { consumer: "identity-audit", outcome: "handled" }),
    ).toBeGreaterThan(0);
  });

  it("name the durable consumers that the stream waits for before it trims, and no other", () => {
    const consumers = together()
      .get("consumer_pending")
      ?.samples.map(({ labels }) => labels["consumer"]);
    expect(new Set(consumers)).toEqual(new Set(platformReaders));
  });

  it("have no id for a label", () => {
    const values = [...shown.values()].flatMap((families) =>
      [...families].flatMap(([name, { samples }]) =>
        name === "target_info" ? [] : samples.flatMap(({ labels }) => Object.values(labels)),
      ),
    );
    expect(values.filter((value) => /[0-9a-f]{8}-[0-9a-f]{4}|[0-9a-f]{24}/.test(value))).toEqual([]);
  });

  it.each(queries)("answer what is asked in $where: $query", ({ query, legend }) => {
    expect(problemsOf(query, together(), legend)).toEqual([]);
  });

  it("do not answer metrics that are not declared, labels that there are not, and what is no PromQL", () => {
    const wrong = [
      "sum(rate(no_such_metric_total[5m]))",
      "sum by (colour) (rate(rate_limited_total[5m]))",
      'sum(rate(rate_limited_total{reason="NEVER"}[5m]))',
      'sum(rate(training_commands_total{status=~"applied|rejectd"}[5m]))',
      'sum(rate(rpc_server_call_duration_seconds_count{rpc_response_status_code="INTERNAL"}[5m]))',
      "sum(rate(dead_letters[5m]))",
      "sum(training_metrics_points_total)",
      "histogram_quantile(0.9, sum(rate(rpc_server_call_duration_seconds_bucket[5m])))",
      'up{job="no-such-service"}',
      "sum(rate(",
    ];
    expect(wrong.filter((query) => problemsOf(query, together()).length === 0)).toEqual([]);
  });
});

describe("the alerts", () => {
  it("have each a section, and each section an alert", () => {
    expect([...alertSections.keys()].sort()).toEqual(
      alerts.map(({ annotations }) => annotations.runbook_url.replace("docs/alerts.md#", "")).sort(),
    );
  });

  it.each(alerts)("$alert says how bad it is, what is wrong, and where to read on", (alert) => {
    const { severity } = alert.labels;
    expect(["warning", "critical"]).toContain(severity);
    expect(alert.annotations.summary.length).toBeGreaterThan(10);
    const kebab = alert.alert.replace(/(?<!^)([A-Z])/g, "-$1").toLowerCase();
    expect(alert.annotations.runbook_url).toBe(`docs/alerts.md#${kebab}`);
    const section = alertSections.get(kebab) ?? "";
    for (const part of ["**Means**:", "**Users notice**:", "**Look first at**:", "**Do**:", "**Ends** when"])
      expect(section).toContain(part);
    expect(alertsPage).toContain(`| [${alert.alert}](#${kebab}) | ${severity} | ${alert.for ?? "at once"} |`);
  });

  it("page's commands work", async () => {
    const [, commands = ""] = /^```sh\n([^`]+)```/m.exec(alertsPage) ?? [];
    const env = { ...process.env, ADMIN_URL: platform.adminUrls["training"] };
    const { stdout } = await promisify(execFile)("bash", ["-euc", commands], { env });
    expect(stdout).toContain('"ready":true');
    expect(stdout).toContain("training_commands_total");
  });
});
