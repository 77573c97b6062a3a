import { randomUUID } from "node:crypto";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { type Backoff, backoffMs, pause } from "@aiplatform/backoff";
import { type ReportRequestSchema, TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { createMeshTransport } from "@aiplatform/service-host";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createWritableIterable } from "@connectrpc/connect/protocol";
import type { Job } from "../run-with-jobs.ts";

/** A trainer that is attached, with connections of its own, and trains nothing. */
export interface AttachedTrainer {
  /** Sends a report and resolves when it is durable. */
  report(): Promise<void>;
  close(): Promise<void>;
}

/** Where trainers attach. */
export interface Platform {
  grpc: string;
  gateway: string;
  apiKey: string;
}

const metricsOfReport = 10;
const pauses: Backoff = { minMs: 200, maxMs: 5_000 };

const columnsOf = (counter: number) =>
  Array.from({ length: metricsOfReport }, (_, metric) => ({
    name: `metric_${metric}`,
    steps: [counter],
    values: [Math.sin(counter / (metric + 1))],
  }));

/** Over gRPC, at the training service. */
export async function attachOverGrpc({ grpc, apiKey }: Platform, job: Job): Promise<AttachedTrainer> {
  const transport = createMeshTransport({ addresses: grpc, channels: 1 });
  const trainers = createClient(TrainerService, transport);
  const over = new AbortController();
  const options = { headers: { authorization: `Bearer ${apiKey}` }, signal: over.signal };
  const address = { runId: job.runId, jobName: job.name, attachmentId: randomUUID() };
  const attached = Promise.withResolvers<void>();
  const listening = untilClosed(over.signal, async () => {
    for await (const _ of trainers.attach(address, options)) attached.resolve();
  });
  await Promise.race([attached.promise, listening]);
  const openReports = () => {
    const requests = createWritableIterable<MessageInitShape<typeof ReportRequestSchema>>();
    return { requests, answers: trainers.report(requests, options)[Symbol.asyncIterator]() };
  };
  let reports = openReports();
  let counter = 0;
  return {
    async report() {
      counter += 1;
      await untilAnswered(async () => {
        try {
          const sent = reports.requests.write({ ...address, counter, columns: columnsOf(counter) });
          await Promise.all([sent, reports.answers.next()]);
        } catch (error) {
          reports = openReports();
          throw error;
        }
      }, over.signal);
    },
    async close() {
      over.abort();
      await listening;
      transport.close();
    },
  };
}

/** Over HTTPS, through the gateway. */
export async function attachOverHttp({ gateway, apiKey }: Platform, job: Job): Promise<AttachedTrainer> {
  const agent = new Agent({ keepAlive: true });
  const attachment_id = randomUUID();
  const base = `/platform/pipelines/${job.pipelineId}/runs/${job.runId}/jobs/${job.name}`;
  const send = (path: string, body: object) => post(new URL(base + path, gateway), { agent, apiKey, body });
  const over = new AbortController();
  const stream = await untilAnswered(() => send("/trainer/commands", { attachment_id }), over.signal);
  await new Promise((resolve) => stream.response.once("data", resolve));
  let counter = 0;
  return {
    async report() {
      counter += 1;
      const body = { attachment_id, counter, columns: columnsOf(counter) };
      await untilAnswered(async () => json((await send("/reports", body)).response), over.signal);
    },
    async close() {
      over.abort();
      stream.request.destroy();
      agent.destroy();
    },
  };
}

async function post(
  url: URL,
  { agent, apiKey, body }: { agent: Agent; apiKey: string; body: object },
): Promise<{ request: ClientRequest; response: IncomingMessage }> {
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  };
  const asked = request(url, { method: "POST", agent, headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    asked.once("response", resolve).on("error", reject),
  );
  asked.end(text);
  const response = await answered;
  response.on("error", () => undefined);
  if (response.statusCode !== 200) {
    const { code = "no code" } = Object(await json(response).catch(() => undefined));
    const said = `HTTP ${response.statusCode}, ${code}`;
    if (response.statusCode === 503 || response.statusCode === 504) throw new ConnectError(said, Code.Unavailable);
    throw new Error(`${url.pathname} was answered ${said}`);
  }
  return { request: asked, response };
}

/** Attaches again where the platform says that it is away. */
async function untilClosed(closed: AbortSignal, attach: () => Promise<void>): Promise<void> {
  while (!closed.aborted) {
    try {
      await untilAnswered(attach, closed);
    } catch (error) {
      if (!closed.aborted) throw error;
    }
  }
}

const passing: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.ResourceExhausted]);

/** How often the platform could not answer now, by what it said. */
export const repeats = new Map<string, number>();

/** Asks again where the platform says that it cannot answer now, as trainers do. @throws Error for anything else, and when it is over */
export async function untilAnswered<T>(ask: () => Promise<T>, over: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const { code, message } = ConnectError.from(error);
      if (over.aborted || !passing.has(code)) throw error;
      repeats.set(message, (repeats.get(message) ?? 0) + 1);
      await pause(backoffMs(pauses, attempt), over);
    }
  }
}
