/**
 * What a route costs beyond `node:http`: the CPU time of the server process per request, a transcoded operation
 * (route, credential hook, body, validation, RPC to an implementation in this process, rendering) against a bare
 * handler that parses the same body with `JSON.parse` and answers the same text.
 *
 *     node packages/transcoder/bench/route.bench.ts [--rounds 5]
 *
 * Clients live in a process of their own.
 */
import { fork } from "node:child_process";
import { Agent, createServer, request as httpRequest, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import {
  ControlCommandService,
  CreateTrainingControlCommandResponseSchema,
  TrainingControlAction,
  TrainingControlCommandStatus,
} from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import type { Figure } from "../../../bench/harness/figure.ts";
import { interleaved } from "../../../bench/harness/rounds.ts";
import { createTranscoder, type RpcCaller } from "../src/index.ts";

const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
const path = `/pipelines/${id}/runs/${id}/training/train-1/commands`;
const body = JSON.stringify({
  action: "warm_restart",
  checkpoint_id: id,
  runtime_overrides: { learning_rate: 0.001, batch_size: 64 },
  idempotency_key: id,
  supervision_id: null,
  supervision_lease_token: null,
});
const wholeRound = 4_000;
const inFlight = 16;

export const route: Bench = {
  title: "CPU of a route",
  measure: ({ rounds, share }) => measureRoute(rounds, wholeRound * share),
};

async function measureRoute(rounds: number, requests: number): Promise<Figure[]> {
  const transcoded = transcodedListener();
  const answer = await answerOf(transcoded);
  const bare: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(201, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
      response.end(answer);
    });
  };
  const measured = await interleaved(rounds + 1, {
    base: () => cpuPerRequest(bare, requests),
    ours: () => cpuPerRequest(transcoded, requests),
  });
  // The first round warms up.
  const [base, ours] = [measured.base.slice(1), measured.ours.slice(1)];
  const floor = { name: "node:http", values: base };
  return [{ id: "transcoder-cpu", name: "a transcoded route, CPU a request", unit: "µs", values: ours, floor }];
}

function transcodedListener(): RequestListener {
  const reply = create(CreateTrainingControlCommandResponseSchema, {
    command: {
      id,
      sequence: 7,
      action: TrainingControlAction.WARM_RESTART,
      status: TrainingControlCommandStatus.PENDING,
      idempotencyKey: id,
      runtimeOverrides: { text: '{"learning_rate":0.001,"batch_size":64}' },
      createdAt: timestampFromMs(1_790_000_000_000),
    },
  });
  const answer = { message: reply, header: new Headers(), trailer: new Headers() };
  const call: RpcCaller = {
    unary: () => Promise.resolve(answer),
    clientStream: () => Promise.reject(new Error("not part of the measurement")),
    serverStream: () => Promise.reject(new Error("not part of the measurement")),
  };
  const transcoder = createTranscoder({ services: [ControlCommandService], call });
  return (request, response) => {
    if (!transcoder.handle(request, response)) response.writeHead(404).end();
  };
}

async function answerOf(listener: RequestListener): Promise<string> {
  const server = await listen(listener);
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  server.close();
  if (response.status !== 201) throw new Error(`expected 201, got ${response.status}: ${text}`);
  return text;
}

async function cpuPerRequest(listener: RequestListener, requests: number): Promise<number> {
  const server = await listen(listener);
  const client = fork(import.meta.filename, ["client", `${server.port}`, `${requests}`]);
  const ready = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  client.on("message", (message) => (message === "warm" ? ready.resolve() : done.resolve()));
  await ready.promise;
  const before = process.cpuUsage();
  client.send("go");
  await done.promise;
  const { user, system } = process.cpuUsage(before);
  client.kill();
  server.close();
  return (user + system) / requests;
}

async function listen(listener: RequestListener): Promise<{ port: number; close: () => void }> {
  const server = createServer(listener);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function runClient(): Promise<void> {
  const [port = 0, requests = 0] = process.argv.slice(3).map(Number);
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  await send(port, agent, requests / 2);
  process.send?.("warm");
  process.on("message", async () => {
    await send(port, agent, requests);
    process.send?.("done");
  });
}

async function send(port: number, agent: Agent, count: number): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await sendOne(port, agent);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

function sendOne(port: number, agent: Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const request = httpRequest({ port, path, method: "POST", agent, headers }, (response) => {
    response.resume();
    response.on("end", resolve);
  });
  request.on("error", reject);
  request.end(body);
  return promise;
}

if (process.argv[2] === "client") await runClient();
else if (import.meta.main) await runBench(route);
