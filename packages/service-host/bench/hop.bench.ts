// One unary call between two processes, by way: CPU of both ends, p50 at concurrency 1, calls/s at 64. Interleaved.
//   node packages/service-host/bench/hop.bench.ts [rounds=3] [calls=2000]
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import http2 from "node:http2";
import { fileURLToPath } from "node:url";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { createMeshTransport } from "../src/index.ts";
import { EchoService } from "../tests/rig/echo-service.ts";

interface Way {
  readonly name: string;
  /** Which server it calls. */
  readonly server: "host" | "connect" | "http2";
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

const ways: readonly Way[] = [
  {
    name: "mesh transport → host, 4 channels",
    server: "host",
    open: rpcWay((addresses) => createMeshTransport({ addresses })),
  },
  {
    name: "mesh transport → host, 1 channel",
    server: "host",
    open: rpcWay((addresses) => createMeshTransport({ addresses, channels: 1 })),
  },
  {
    name: "Connect gRPC transport → host",
    server: "host",
    open: rpcWay((address) => createGrpcTransport({ baseUrl: `http://${address}` })),
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
];

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
  readonly serverCpu: number;
  readonly clientCpu: number;
  readonly callsPerSecond: number;
}

async function measure(way: Way, server: Server, calls: number): Promise<Sample> {
  const client = way.open(server.address, server.header);
  for (let i = 0; i < calls / 4; i++) await client.call("warm");
  const durations: number[] = [];
  for (let i = 0; i < calls; i++) {
    const startedAt = performance.now();
    if ((await client.call(`value ${i}`)) !== `value ${i}`) throw new Error(`${way.name} answered something else`);
    durations.push((performance.now() - startedAt) * 1_000);
  }
  const [serverBefore, clientBefore, startedAt] = [await server.cpuMicros(), cpuMicros(), performance.now()];
  let next = 0;
  const worker = async () => {
    while (next < calls) {
      next++;
      await client.call("x");
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  const elapsed = performance.now() - startedAt;
  const clientCpu = (cpuMicros() - clientBefore) / calls;
  const serverCpu = ((await server.cpuMicros()) - serverBefore) / calls;
  client.close();
  durations.sort((a, b) => a - b);
  return {
    p50: durations[Math.floor(calls / 2)] ?? 0,
    serverCpu,
    clientCpu,
    callsPerSecond: (calls / elapsed) * 1_000,
  };
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function spread(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => Math.round(value).toLocaleString("en"));
  return low === high ? `${low}` : `${low}-${high}`;
}

const [rounds, calls] = [Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 2_000)];
const servers = new Map<Way["server"], Server>();
for (const kind of ["host", "connect", "http2"] as const) servers.set(kind, await startServer(kind));
const samples = new Map<string, Sample[]>(ways.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const way of ways) {
    const server = servers.get(way.server);
    if (server) samples.get(way.name)?.push(await measure(way, server, calls));
  }
}
for (const { child } of servers.values()) child.kill();
const rows = [...samples].map(([name, taken]) => {
  const cells = (["p50", "serverCpu", "clientCpu", "callsPerSecond"] as const).map((key) =>
    spread(taken.map((each) => each[key])),
  );
  return `| ${[name, ...cells].join(" | ")} |`;
});
const head = "| way | c1 p50 µs | CPU µs server, c64 | CPU µs client, c64 | calls/s, c64 |";
process.stdout.write(
  `${[`Node ${process.version}, ${rounds} interleaved rounds of ${calls} calls`, "", head, "| --- | --- | --- | --- | --- |", ...rows].join("\n")}\n`,
);
process.exit();
