import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ask, type command, metricsPath, until } from "../mesh/rest.ts";
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from "./trace-receiver.ts";

const [server, client, producer, consumer] = [2, 3, 4, 5];
const clientsTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
const commandRpc = "aiplatform.training.v1.ControlCommandService/CreateTrainingControlCommand";
const acknowledgeRpc = "aiplatform.training.v1.TrainerService/AcknowledgeCommand";
const idempotencyKey = randomUUID();

let directory: string;
let receiver: TraceReceiver;
let platform: LocalPlatform;
let sent: Awaited<ReturnType<typeof command>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "one-trace-"));
  receiver = await startTraceReceiver();
  // All processes inherit it, the trainers too.
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = receiver.url;
  platform = await startPlatform({ directory, model: false });
  const body = { action: "pause", idempotency_key: idempotencyKey };
  const { pipeline_id, run_id, job_name } = platform.description;
  sent = await ask(platform.description, {
    path: `/pipelines/${pipeline_id}/runs/${run_id}/training/${job_name}/commands`,
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

describe("work that nobody asked for", () => {
  it("has a trace of its own", async () => {
    const swept = () => receiver.spans.find(({ service, name }) => service === "training" && name === "sweep");
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
