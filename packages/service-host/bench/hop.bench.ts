// One unary call between two processes, by way: CPU of both ends, p50 at concurrency 1, calls/s at 64. Rounds in turns.
//   node packages/service-host/bench/hop.bench.ts [--rounds 5]
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
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { type Figure, median } from "../../../bench/harness/figure.ts";
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
  return {
    p50: median(durations),
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

const mesh = "mesh transport → host";
/** The raw ways, and the id of the figure that compares each with the mesh's own. */
const floors = new Map([
  ["bare http2 + protobuf, no interceptors", "raw-hop-cpu"],
  ["bare undici → node:http + protobuf, no interceptors", "raw-http1-hop-cpu"],
]);
const wholeRound = 2_000;
const kinds = ["host", "host's HTTP port", "connect", "http1", "http2"] as const;
const columns: readonly (readonly [keyof Sample, string])[] = [
  ["p50", "µs, p50 at 1"],
  ["cpuAlone", "µs of CPU of both ends at 1"],
  ["serverCpu", "µs of CPU of the server at 64"],
  ["clientCpu", "µs of CPU of the client at 64"],
  ["callsPerSecond", "calls a second at 64"],
];

function figuresOf(samples: ReadonlyMap<string, readonly Sample[]>): Figure[] {
  const cpu = (name: string) => (samples.get(name) ?? []).map(({ serverCpu, clientCpu }) => serverCpu + clientCpu);
  const compared = [...floors].map(([name, id]) => ({
    ...{ id, name, unit: "µs of CPU of both ends at 64", values: cpu(name) },
    floor: { name: mesh, values: cpu(mesh) },
  }));
  const each = [...samples].flatMap(([name, taken], index) =>
    columns.map(([key, unit]) => ({ id: `hop-${index}-${key}`, name, unit, values: taken.map((one) => one[key]) })),
  );
  return [...compared, ...each];
}

export const hop: Bench = {
  title: "One unary call between two processes",
  async measure({ rounds, share }) {
    const servers = new Map<Way["server"], Server>();
    for (const kind of kinds) servers.set(kind, await startServer(kind));
    const samples = new Map<string, Sample[]>(ways.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const way of ways) {
        const server = servers.get(way.server);
        if (server) samples.get(way.name)?.push(await measure(way, server, wholeRound * share));
      }
    }
    for (const { child } of servers.values()) child.kill();
    return figuresOf(samples);
  },
};

if (import.meta.main) {
  await runBench(hop);
  // Connections of other libraries would keep it.
  process.exit();
}
