import { randomUUID } from "node:crypto";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { type ReportRequestSchema, TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createWritableIterable } from "@connectrpc/connect/protocol";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
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

const columnsOf = (counter: number) =>
  Array.from({ length: metricsOfReport }, (_, metric) => ({
    name: `metric_${metric}`,
    steps: [counter],
    values: [Math.sin(counter / (metric + 1))],
  }));

/** Over gRPC, at the training service. */
export async function attachOverGrpc({ grpc, apiKey }: Platform, job: Job): Promise<AttachedTrainer> {
  const baseUrl = `http://${grpc}`;
  const connection = new Http2SessionManager(baseUrl);
  const transport = createGrpcTransport({ baseUrl, sessionManager: connection });
  const trainers = createClient(TrainerService, transport);
  const over = new AbortController();
  const options = { headers: { authorization: `Bearer ${apiKey}` }, signal: over.signal };
  const address = { runId: job.runId, jobName: job.name, attachmentId: randomUUID() };
  const commands = trainers.attach(address, options)[Symbol.asyncIterator]();
  await commands.next();
  const listening = untilClosed(over.signal, async () => {
    for (let told = await commands.next(); !told.done; told = await commands.next());
  });
  const requests = createWritableIterable<MessageInitShape<typeof ReportRequestSchema>>();
  const answers = trainers.report(requests, options)[Symbol.asyncIterator]();
  let counter = 0;
  return {
    async report() {
      counter += 1;
      const sent = requests.write({ ...address, counter, columns: columnsOf(counter) });
      await Promise.all([sent, answers.next()]);
    },
    async close() {
      over.abort();
      await listening;
      connection.abort();
    },
  };
}

/** Over HTTPS, through the gateway. */
export async function attachOverHttp({ gateway, apiKey }: Platform, job: Job): Promise<AttachedTrainer> {
  const agent = new Agent({ keepAlive: true });
  const attachment_id = randomUUID();
  const base = `/platform/pipelines/${job.pipelineId}/runs/${job.runId}/jobs/${job.name}`;
  const send = (path: string, body: object) => post(new URL(base + path, gateway), { agent, apiKey, body });
  const stream = await send("/trainer/commands", { attachment_id });
  await new Promise((resolve) => stream.response.once("data", resolve));
  let counter = 0;
  return {
    async report() {
      counter += 1;
      await json((await send("/reports", { attachment_id, counter, columns: columnsOf(counter) })).response);
    },
    async close() {
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
  if (response.statusCode !== 200) throw new Error(`${url.pathname} was answered ${response.statusCode}`);
  return { request: asked, response };
}

async function untilClosed(closed: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!closed.aborted) throw error;
  }
}
