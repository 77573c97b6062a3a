import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createMeshTransport, type MeshTransport, type MeshTransportOptions } from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";
import { type MeshRig, startMeshRig } from "./rig/mesh-rig.ts";
import { echoHeaders, killEchoes, startEcho } from "./rig/start-echo.ts";

let rig: MeshRig;
let headers: Headers;
const transports: MeshTransport[] = [];
const servers: Server[] = [];
beforeAll(async () => {
  rig = await startMeshRig({ MAX_MESSAGE_BYTES: "65536" });
  headers = await rig.sign();
});
afterEach(() => {
  for (const transport of transports.splice(0)) transport.close();
  for (const server of servers.splice(0)) server.close();
  killEchoes();
});
afterAll(() => rig[Symbol.asyncDispose]());

type Echo = Client<typeof EchoService>;

function clientOf(options: Partial<MeshTransportOptions> = {}): Echo {
  const transport = createMeshTransport({ addresses: rig.service.addresses.grpc, ...options });
  transports.push(transport);
  return createClient(EchoService, transport);
}

/** The protocol by which the last call came to the service. */
const lastProtocol = () => rig.record.contexts.at(-1)?.protocolName;

async function protocolOf(client: Echo): Promise<string | undefined> {
  await client.echo({ value: "x" }, { headers });
  return lastProtocol();
}

/** Waits until the client has connected over HTTP/1.1, which it does beside the first calls. */
async function overHttp(client: Echo): Promise<Echo> {
  await vi.waitFor(async () => expect(await protocolOf(client)).toBe("connect"), { timeout: 20_000 });
  return client;
}

async function failureOf(work: Promise<unknown>): Promise<ConnectError> {
  return ConnectError.from(
    await work.then(
      () => new Error("it succeeded"),
      (error: unknown) => error,
    ),
  );
}

/** A way to the service's gRPC port at another address of this machine, where its HTTP port is not served. */
async function elsewhere(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer(serve);
  servers.push(server);
  await once(server.listen(0, "127.0.0.2"), "listening");
  const address = server.address();
  return `127.0.0.2:${typeof address === "object" ? address?.port : 0}`;
}

function passOn(socket: Socket): void {
  const [host = "", port = ""] = rig.service.addresses.grpc.split(":");
  const onward = connect({ host, port: Number(port) });
  socket.on("error", () => onward.destroy());
  onward.on("error", () => socket.destroy());
  socket.pipe(onward).pipe(socket);
}

describe("calls to a service that names its HTTP port", () => {
  it("go there when they are unary, and over gRPC when they are streams", async () => {
    const client = await overHttp(clientOf());
    expect(await protocolOf(client)).toBe("connect");
    for await (const _ of client.count({ value: 1 }, { headers }));
    expect(lastProtocol()).toBe("grpc");
  });

  it("go over gRPC while no connection over HTTP/1.1 is free", async () => {
    const client = await overHttp(clientOf());
    const before = rig.record.contexts.length;
    const leaving = new AbortController();
    const calls = Array.from({ length: 100 }, () => client.hold({ value: "x" }, { headers, signal: leaving.signal }));
    const ended = Promise.allSettled(calls);
    await vi.waitFor(() => expect(rig.record.contexts.length - before).toBe(100), { timeout: 20_000 });
    const protocols = rig.record.contexts.slice(before).map(({ protocolName }) => protocolName);
    expect(new Set(protocols)).toEqual(new Set(["connect", "grpc"]));
    leaving.abort();
    await ended;
    expect(await protocolOf(await overHttp(client))).toBe("connect");
  });

  it("are made over gRPC alone by a caller that wants it so", async () => {
    const client = clientOf({ overHttp: false });
    for (let i = 0; i < 20; i++) expect(await protocolOf(client)).toBe("grpc");
  });
});

describe("a unary call over HTTP/1.1", () => {
  let client: Echo;
  beforeAll(async () => {
    const transport = createMeshTransport({ addresses: rig.service.addresses.grpc });
    client = await overHttp(createClient(EchoService, transport));
    return () => transport.close();
  });

  it("ends for the handler when its caller leaves, and the caller is told CANCELED", async () => {
    const before = rig.record.contexts.length;
    const leaving = new AbortController();
    const failure = failureOf(client.hold({ value: "x" }, { headers, signal: leaving.signal }));
    await vi.waitFor(() => expect(rig.record.contexts.length).toBe(before + 1), 20_000);
    const context = rig.record.contexts[before];
    expect([context?.protocolName, context?.signal.aborted]).toEqual(["connect", false]);
    leaving.abort();
    expect((await failure).code).toBe(Code.Canceled);
    await vi.waitFor(() => expect(ConnectError.from(context?.signal.reason).code).toBe(Code.Canceled), 20_000);
    await overHttp(client);
  });

  it("is refused with RESOURCE_EXHAUSTED and its reason when its message is too large", async () => {
    await overHttp(client);
    const failure = await failureOf(client.echo({ value: "x".repeat(65_537) }, { headers }));
    expect(failure.code).toBe(Code.ResourceExhausted);
    expect(failure.details.map((detail) => "type" in detail && detail.type)).toEqual(["google.rpc.ErrorInfo"]);
  });

  it("carries as much metadata as one over gRPC, and fails in the same way when there is more", async () => {
    const overGrpc = clientOf({ overHttp: false });
    const outcome = (echo: Echo, size: number) =>
      echo.echo({ value: "x" }, { headers: [...headers, ...large(size)] }).then(
        () => lastProtocol(),
        (error: unknown) => Code[ConnectError.from(error).code],
      );
    await overHttp(client);
    expect([await outcome(client, 40_000), await outcome(overGrpc, 40_000)]).toEqual(["connect", "grpc"]);
    expect(await outcome(await overHttp(client), 70_000)).toBe(await outcome(overGrpc, 70_000));
  });
});

/** Metadata of a size, in parts that every way takes. */
function large(size: number): [string, string][] {
  return Array.from({ length: size / 5_000 }, (_, i) => [`x-large-${i}`, "x".repeat(5_000)]);
}

describe("a service with another server at its HTTP port, at the address where it is called", () => {
  it("is called over gRPC, and the other is sent no call and no credential", async () => {
    const asked: string[] = [];
    const other = createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers["x-caller-context"] ?? ""}`);
      response.writeHead(403).end("not here");
    });
    servers.push(other);
    await once(other.listen(Number(new URL(rig.service.addresses.http).port), "127.0.0.2"), "listening");
    const client = clientOf({ addresses: await elsewhere(passOn) });
    await vi.waitFor(async () => {
      expect(await protocolOf(client)).toBe("grpc");
      expect(asked.length).toBeGreaterThan(1);
    }, 20_000);
    expect(new Set(asked)).toEqual(new Set(["OPTIONS / "]));
  });
});

describe("a service whose HTTP port cannot be reached", () => {
  it("is called over gRPC, and no call waits or fails for it", async () => {
    const client = clientOf({ addresses: await elsewhere(passOn) });
    for (let i = 0; i < 50; i++) expect(await protocolOf(client)).toBe("grpc");
  });
});

describe("a service that is killed", () => {
  it("is UNAVAILABLE to every call, also to those that turn to a gRPC connection which has just closed", async () => {
    const replica = await startEcho();
    const options = { headers: await echoHeaders(), timeoutMs: 5_000 };
    const clients = Array.from({ length: 80 }, () => clientOf({ addresses: replica.addresses.grpc }));
    for (let i = 0; i < 3; i++) await Promise.all(clients.map((client) => client.echo({ value: "x" }, options)));
    replica.child.kill("SIGKILL");
    // Now some of its connections are known to be closed, and others are not.
    await replica.exit;
    const failures = await Promise.all(clients.map((client) => failureOf(client.echo({ value: "x" }, options))));
    expect(new Set(failures.map(({ code }) => Code[code]))).toEqual(new Set(["Unavailable"]));
  });
});
