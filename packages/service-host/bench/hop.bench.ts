// One unary call between two processes, by way: CPU of both ends, p50 at concurrency 1, calls/s at 64. Interleaved rounds; median,
// least and most.
//   node packages/service-host/bench/hop.bench.ts [rounds=3] [calls=2000]
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import http2 from "node:http2";
import { fileURLToPath } from "node:url";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { Pool } from "undici";
import { createMeshTransport } from "../src/index.ts";
import { EchoService } from "../tests/rig/echo-service.ts";

interface Way {
  readonly name: string;
  /** Which server it calls. */
  readonly server: "host" | "host's HTTP port" | "connect" | "http1" | "http2";
  open(address: string, header: Record<string, string>): { call(value: string): Promise<string>; close(): void };
}

function rpcWay(transport: (address: string) => Transport & { close?: () => void }): Way["open"] {
  return (address, headers) => {
    const opened = transport(address);
    const client = createClient(EchoService, opened);
    return {
      call: async (value) => (await client.echo({ value }, { headers, timeoutMs: 5_000 })).value,
      close: () => opened.close?.(),
    };
  };
}

const kept = { nodeOptions: { agent: new Agent({ keepAlive: true }) } };

const ways: readonly Way[] = [
  {
    name: "mesh transport → host",
    server: "host",
    open: rpcWay((addresses) => createMeshTransport({ addresses })),
  },
  {
    name: "mesh transport, gRPC alone → host",
    server: "host",
    open: rpcWay((addresses) => createMeshTransport({ addresses, overHttp: false })),
  },
  {
    name: "Connect gRPC transport → host",
    server: "host",
    open: rpcWay((address) => createGrpcTransport({ baseUrl: `http://${address}` })),
  },
  {
    name: "Connect protocol, HTTP/1.1 → host, by Connect's adapter",
    server: "host's HTTP port",
    open: rpcWay((address) => createConnectTransport({ baseUrl: `http://${address}`, httpVersion: "1.1", ...kept })),
  },
  {
    name: "Connect protocol, HTTP/2 → Connect adapter",
    server: "connect",
    open: rpcWay((address) => createConnectTransport({ baseUrl: `http://${address}`, httpVersion: "2" })),
  },
  {
    name: "Connect gRPC transport → Connect adapter",
    server: "connect",
    open: rpcWay((address) => createGrpcTransport({ baseUrl: `http://${address}` })),
  },
  { name: "bare http2 + protobuf, no interceptors", server: "http2", open: bareHttp2 },
  { name: "bare undici → node:http + protobuf, no interceptors", server: "http1", open: bareHttp1 },
];

function bareHttp1(address: string) {
  const pool = new Pool(`http://${address}`, { connections: 64, pipelining: 1 });
  return {
    close: () => void pool.close(),
    call: (value: string) =>
      new Promise<string>((resolve, reject) => {
        const chunks: Buffer[] = [];
        const body = toBinary(StringValueSchema, create(StringValueSchema, { value }));
        pool.dispatch(
          { method: "POST", path: "/echo", body },
          {
            onRequestStart() {},
            onResponseStart() {},
            onResponseData: (_controller, chunk) => void chunks.push(chunk),
            onResponseEnd: () => resolve(fromBinary(StringValueSchema, Buffer.concat(chunks)).value),
            onResponseError: (_controller, error) => reject(error),
          },
        );
      }),
  };
}

function bareHttp2(address: string) {
  const session = http2.connect(`http://${address}`);
  return {
    close: () => void session.close(),
    call: (value: string) =>
      new Promise<string>((resolve, reject) => {
        const stream = session.request({ ":method": "POST", ":path": "/echo" });
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => resolve(fromBinary(StringValueSchema, Buffer.concat(chunks)).value));
        stream.on("error", reject);
        stream.end(toBinary(StringValueSchema, create(StringValueSchema, { value })));
      }),
  };
}

interface Server {
  readonly child: ChildProcess;
  readonly address: string;
  readonly header: Record<string, string>;
  cpuMicros(): Promise<number>;
}

async function startServer(kind: Way["server"]): Promise<Server> {
  const program = fileURLToPath(new URL("hop-server.ts", import.meta.url));
  const child = spawn(process.execPath, [program, kind], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [ready] = await once(child, "message");
  const cpuMicros = async () => {
    child.send("cpu");
    const [answer] = await once(child, "message");
    return answer.cpuMicros;
  };
  return { child, address: ready.address, header: ready.header, cpuMicros };
}

interface Sample {
  readonly p50: number;
  /** Of both ends, one call at a time. */
  readonly cpuAlone: number;
  readonly serverCpu: number;
  readonly clientCpu: number;
  readonly callsPerSecond: number;
}

async function measure(way: Way, server: Server, calls: number): Promise<Sample> {
  const client = way.open(server.address, server.header);
  // At 64 as well: connections are opened as calls want them.
  for (const callers of [1, 64]) await makeCalls(client, calls / 2, callers);
  const durations: number[] = [];
  const alone = await cpuOf(server, calls, async () => {
    for (let i = 0; i < calls; i++) {
      const startedAt = performance.now();
      if ((await client.call(`value ${i}`)) !== `value ${i}`) throw new Error(`${way.name} answered something else`);
      durations.push((performance.now() - startedAt) * 1_000);
    }
  });
  const startedAt = performance.now();
  const loaded = await cpuOf(server, calls, () => makeCalls(client, calls, 64));
  const elapsed = performance.now() - startedAt;
  client.close();
  durations.sort((a, b) => a - b);
  return {
    p50: durations[Math.floor(calls / 2)] ?? 0,
    cpuAlone: alone.server + alone.client,
    serverCpu: loaded.server,
    clientCpu: loaded.client,
    callsPerSecond: (calls / elapsed) * 1_000,
  };
}

async function makeCalls(client: { call(value: string): Promise<string> }, calls: number, callers: number) {
  let next = 0;
  const worker = async () => {
    while (next < calls) {
      next++;
      await client.call("x");
    }
  };
  await Promise.all(Array.from({ length: callers }, worker));
}

/** CPU per call of both ends while `work` runs, in microseconds. */
async function cpuOf(server: Server, calls: number, work: () => Promise<void>) {
  const before = { server: await server.cpuMicros(), client: cpuMicros() };
  await work();
  const client = (cpuMicros() - before.client) / calls;
  return { server: ((await server.cpuMicros()) - before.server) / calls, client };
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The median, with the least and the most. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [middle, least, most] = [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)].map((value) =>
    Math.round(value ?? 0).toLocaleString("en"),
  );
  return `${middle} [${least}-${most}]`;
}

const [rounds, calls] = [Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 2_000)];
const servers = new Map<Way["server"], Server>();
const kinds = ["host", "host's HTTP port", "connect", "http1", "http2"] as const;
for (const kind of kinds) servers.set(kind, await startServer(kind));
const samples = new Map<string, Sample[]>(ways.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const way of ways) {
    const server = servers.get(way.server);
    if (server) samples.get(way.name)?.push(await measure(way, server, calls));
  }
}
for (const { child } of servers.values()) child.kill();
const rows = [...samples].map(([name, taken]) => {
  const cells = (["p50", "cpuAlone", "serverCpu", "clientCpu", "callsPerSecond"] as const).map((key) =>
    spread(taken.map((each) => each[key])),
  );
  return `| ${[name, ...cells].join(" | ")} |`;
});
const head = "| way | p50 µs, c1 | CPU µs both, c1 | CPU µs server, c64 | CPU µs client, c64 | calls/s, c64 |";
process.stdout.write(
  `${[`Node ${process.version}, ${rounds} interleaved rounds of ${calls} calls`, "", head, "| --- | --- | --- | --- | --- | --- |", ...rows].join("\n")}\n`,
);
process.exit();
