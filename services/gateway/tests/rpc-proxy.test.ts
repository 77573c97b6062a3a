import { once } from "node:events";
import { connect as connectHttp2, constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type ReportRequestSchema, TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { eventually } from "@aiplatform/testkit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { bodyBytes, type RpcRig, saidByTheMesh, startRpcRig } from "./rpc-proxy-rig.ts";

const getRunPath = "/aiplatform.training.v1.RunService/GetRun";

const protocols: [string, (rig: RpcRig) => Transport][] = [
  ["Connect", ({ url }) => createConnectTransport({ baseUrl: url, httpVersion: "1.1", useHttpGet: true })],
  ["gRPC-Web", ({ url }) => createGrpcWebTransport({ baseUrl: url, httpVersion: "1.1" })],
];
const protocolsOverHttp2: [string, (rig: RpcRig) => Transport][] = [
  ["gRPC", ({ url }) => createGrpcTransport({ baseUrl: url })],
  ["Connect over HTTP/2", ({ url }) => createConnectTransport({ baseUrl: url, httpVersion: "2", useHttpGet: true })],
  ["gRPC-Web over HTTP/2", ({ url }) => createGrpcWebTransport({ baseUrl: url, httpVersion: "2" })],
];
const connectTo = (rig: RpcRig) => createConnectTransport({ baseUrl: rig.url, httpVersion: "1.1" });

const as = (bearer: string, more: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${bearer}`, ...more },
});

const getRun = (transport: Transport, bearer: string, runId = "r") =>
  createClient(RunService, transport)
    .getRun({ runId }, as(bearer))
    .then(({ run }) => run?.id, ConnectError.from);

/** Begins a stream and answers how to end it, once the service has said something. */
async function watch(rig: RpcRig, bearer: string, transport = connectTo(rig)): Promise<AbortController> {
  const ending = new AbortController();
  const messages = createClient(RunMetricsService, transport)
    .watchRunMetrics({}, { ...as(bearer), signal: ending.signal })
    [Symbol.asyncIterator]();
  await messages.next();
  messages.next().catch(() => {});
  return ending;
}

type Said = MessageInitShape<typeof ReportRequestSchema> | undefined;

/** What a client says when it is asked to; undefined ends it. */
function conversation(): [AsyncIterable<NonNullable<Said>>, (said: Said) => void] {
  const said = new PassThrough({ objectMode: true });
  return [said, (message) => void (message === undefined ? said.end() : said.write(message))];
}

/** Sends the head of a call and half of its body. */
async function halfSent({ port }: RpcRig, headers: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(`POST ${getRunPath} HTTP/1.1\r\nHost: g\r\nContent-Type: application/json\r\n${headers}\r\n`);
  return socket;
}

const firstLine = async (socket: Socket) => {
  const [bytes] = await once(socket, "data");
  return String(bytes).split("\r\n", 1)[0];
};

describe.each([...protocols, ...protocolsOverHttp2])("a %s call", (_, transportTo) => {
  it("reaches its service with who calls and from where, and nothing of that from outside", async () => {
    await using rig = await startRpcRig();
    const claims = { "x-caller-context": "forged", "x-source-address": "1.1.1.1", "x-forwarded-for": "203.0.113.9" };
    const { run } = await createClient(RunService, transportTo(rig)).getRun({ runId: "r" }, as("good-a", claims));
    expect(run?.id).toBe("r");
    expect(rig.service.asked.map(saidByTheMesh)).toEqual([["of-good-a", "203.0.113.9"]]);
  });

  it("is refused as over REST, in its own form, and recorded with the client's address", async () => {
    await using rig = await startRpcRig();
    const call = (bearer: string) =>
      createClient(RunService, transportTo(rig))
        .getRun({ runId: "r" }, as(bearer, { "x-forwarded-for": "203.0.113.9" }))
        .catch(ConnectError.from);
    expect(await call("weak-a")).toMatchObject({ code: Code.PermissionDenied });
    expect(await call("nonsense")).toMatchObject({ code: Code.Unauthenticated });
    expect(rig.refusals).toMatchObject([
      { code: "permission_denied", sourceAddress: "203.0.113.9", rpc: "aiplatform.training.v1.RunService/GetRun" },
      { code: "unauthenticated", sourceAddress: "203.0.113.9" },
    ]);
    expect(rig.service.connections).toBe(0);
  });

  it("counts against the organisation's rate", async () => {
    await using rig = await startRpcRig({ requestsPerSecond: 5 });
    const transport = transportTo(rig);
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 40 }, () => getRun(transport, "good-a")));
    const windows = Math.ceil((performance.now() - startedAt) / 1_000) + 1;
    const refused = answers.filter((answer) => answer instanceof ConnectError);
    expect(answers.length - refused.length).toBeLessThanOrEqual(5 * windows);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([Code.ResourceExhausted]));
    expect(refused[0]?.metadata.get("ratelimit-policy")).toBe('"organisation";q=5;w=1');
    expect(Number(refused[0]?.metadata.get("retry-after"))).toBeGreaterThan(0);
    expect(refused[0]?.findDetails(RetryInfoSchema)).toMatchObject([{ retryDelay: { seconds: 1n } }]);
  });

  it("says with a reason that the service is away, and when to come back; it was a code alone", async () => {
    await using rig = await startRpcRig();
    rig.stopService();
    const error = ConnectError.from(await getRun(transportTo(rig), "good-a"));
    expect(error.code).toBe(Code.Unavailable);
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "UNAVAILABLE", domain: "aiplatform" }]);
    expect(error.findDetails(RetryInfoSchema)).toMatchObject([{ retryDelay: { seconds: 1n } }]);
  });

  it("takes a permit of the organisation for as long as it lasts when it is a stream", async () => {
    await using rig = await startRpcRig({ organisationStreams: 3 });
    const held = await Promise.all(Array.from({ length: 3 }, () => watch(rig, "good-a")));
    await expect(watch(rig, "good-a", transportTo(rig))).rejects.toMatchObject({ code: Code.ResourceExhausted });
    (await watch(rig, "good-b", transportTo(rig))).abort();
    for (const each of held) each.abort();
    await eventually(() => rig.taken() === 0, "the permits to be released");
    (await watch(rig, "good-a", transportTo(rig))).abort();
  });

  it("is aborted at its service when the client leaves", async () => {
    await using rig = await startRpcRig();
    const leaving = new AbortController();
    const call = createClient(RunService, transportTo(rig)).getRun(
      { runId: "waits" },
      { ...as("good-a"), signal: leaving.signal },
    );
    const stream = await watch(rig, "good-a", transportTo(rig));
    await eventually(() => rig.service.open === 2, "both calls to be under way");
    leaving.abort();
    stream.abort();
    await expect(call).rejects.toMatchObject({ code: Code.Canceled });
    await eventually(() => rig.service.aborted === 2, "the service to see both leave");
    await eventually(() => rig.taken() === 0, "the permits to be released");
  });

  it("to a public RPC needs no credential, and has the budget of its source", async () => {
    await using rig = await startRpcRig({ anonymousPerMinute: 1 });
    const client = createClient(ExternalOauthService, transportTo(rig));
    expect(await client.completeExternalLink({ state: "s" })).toBeDefined();
    await expect(client.completeExternalLink({ state: "s" })).rejects.toMatchObject({ code: Code.ResourceExhausted });
  });
});

describe.each(protocolsOverHttp2)("a %s call that streams both ways", (_, transportTo) => {
  it("is a trainer's report, which its organisation's watchers do not keep out", async () => {
    await using rig = await startRpcRig({ organisationStreams: 1, totalStreams: 1 });
    const watching = await watch(rig, "good-a");
    const [asked, ask] = conversation();
    const answers = createClient(TrainerService, transportTo(rig)).report(asked, as("good-a"))[Symbol.asyncIterator]();
    ask({ counter: 1 });
    expect((await answers.next()).value?.durableCounter).toBe(1);
    ask(undefined);
    await answers.next();
    watching.abort();
  });

  it("is answered message by message, which was 505 and a code to try again on", async () => {
    await using rig = await startRpcRig();
    const [asked, ask] = conversation();
    const answers = createClient(TrainerService, transportTo(rig)).report(asked, as("good-a"))[Symbol.asyncIterator]();
    for (const counter of [1, 2, 3]) {
      ask({ counter });
      expect((await answers.next()).value?.durableCounter).toBe(counter);
    }
    ask(undefined);
    expect((await answers.next()).done).toBe(true);
    expect(rig.service.asked.map(saidByTheMesh)).toEqual([["of-good-a", "127.0.0.1"]]);
    await eventually(() => rig.taken() === 0, "the permit to be released");
  });

  it("outlasts the time in which other requests must be whole", async () => {
    await using rig = await startRpcRig({ requestTimeoutMs: 200 });
    const [asked, ask] = conversation();
    const answers = createClient(TrainerService, transportTo(rig)).report(asked, as("good-a"))[Symbol.asyncIterator]();
    const startedAt = performance.now();
    let counter = 0;
    await eventually(async () => {
      counter += 1;
      ask({ counter });
      expect((await answers.next()).value?.durableCounter).toBe(counter);
      return performance.now() - startedAt > 1_500;
    }, "the stream to be older than that");
    ask(undefined);
  });

  it("is aborted at its service when the client leaves", async () => {
    await using rig = await startRpcRig();
    const [asked, ask] = conversation();
    const leaving = new AbortController();
    const options = { ...as("good-a"), signal: leaving.signal };
    const answers = createClient(TrainerService, transportTo(rig)).report(asked, options)[Symbol.asyncIterator]();
    ask({ counter: 1 });
    await answers.next();
    expect(rig.service.open).toBe(1);
    leaving.abort();
    await expect(answers.next()).rejects.toMatchObject({ code: Code.Canceled });
    await eventually(() => rig.service.open === 0 && rig.taken() === 0, "the service to see it leave");
  });
});

describe("an error with so many details that the service compresses them", () => {
  it.each([...protocols, ...protocolsOverHttp2])("reaches a client of %s whole", async (_, transportTo) => {
    await using rig = await startRpcRig();
    const error = await getRun(transportTo(rig), "good-a", "refused");
    if (!(error instanceof ConnectError)) throw new Error("the call was not refused");
    expect([error.code, error.rawMessage]).toEqual([Code.NotFound, "refused"]);
    expect(error.findDetails(BadRequestSchema)[0]?.fieldViolations).toHaveLength(100);
  });
});

describe("a gRPC call that is refused", () => {
  it("is told so by the head of its answer alone, without which grpcio sees no details", async () => {
    await using rig = await startRpcRig();
    const session = connectHttp2(rig.url);
    const headers = { ":method": "POST", ":path": getRunPath, "content-type": "application/grpc", te: "trailers" };
    const [answer, flags] = await once(session.request(headers).end(), "response");
    session.destroy();
    expect(answer).toMatchObject({ ":status": 200, "content-type": "application/grpc" });
    expect(answer).toMatchObject({ "grpc-status": String(Code.Unauthenticated) });
    expect(answer["grpc-status-details-bin"]).toMatch(/./);
    expect(flags & constants.NGHTTP2_FLAG_END_STREAM).not.toBe(0);
  });
});

describe("a call over HTTP/1.1 that streams both ways", () => {
  it("is told that it needs HTTP/2, with a code that no client tries again on", async () => {
    await using rig = await startRpcRig();
    const headers = { authorization: "Bearer good-a", "content-type": "application/connect+proto" };
    const path = "/aiplatform.training.v1.TrainerService/Report";
    const answer = await fetch(rig.url + path, { method: "POST", headers, body: new Uint8Array(5) });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"unimplemented"');
  });
});

describe("a message that is larger than any body may be", () => {
  const post = async (rig: RpcRig, init: RequestInit) =>
    await fetch(rig.url + getRunPath, {
      method: "POST",
      headers: { authorization: "Bearer good-a", "content-type": "application/json" },
      ...init,
    });

  it.each([
    ["announced", () => ({ body: "x".repeat(30 * bodyBytes) })],
    ["in chunks", () => ({ body: new Blob(["x".repeat(30 * bodyBytes)]).stream(), duplex: "half" }) as RequestInit],
  ])("is refused with 413 before the service hears of it: %s", async (_, init) => {
    await using rig = await startRpcRig();
    const answer = await post(rig, init());
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: "resource_exhausted" });
    expect(rig.service.connections).toBe(0);
    expect(rig.taken()).toBe(0);
  });

  it("passes in parts where the RPC takes a stream", async () => {
    await using rig = await startRpcRig();
    async function* parts() {
      for (let i = 0; i < 5; i += 1) yield { data: new Uint8Array(bodyBytes) };
    }
    const { sizeBytes } = await createClient(ModelService, connectTo(rig)).uploadArtifact(parts(), as("good-a"));
    expect(Number(sizeBytes)).toBe(5 * bodyBytes);
  });
});

describe("many who send half of a call", () => {
  it("without a credential are refused at once, take no connection to the service, and delay no other call", async () => {
    await using rig = await startRpcRig();
    expect(await getRun(connectTo(rig), "good-b")).toBe("r");
    const connectionsBefore = rig.service.connections;
    const half = await Promise.all(Array.from({ length: 290 }, () => halfSent(rig, "Content-Length: 1000\r\n")));
    expect(new Set(await Promise.all(half.map(firstLine)))).toEqual(new Set(["HTTP/1.1 401 Unauthorized"]));
    const during = await Promise.all(Array.from({ length: 20 }, () => getRun(connectTo(rig), "good-b")));
    expect(new Set(during)).toEqual(new Set(["r"]));
    for (const socket of half) socket.destroy();
    expect(await getRun(connectTo(rig), "good-b")).toBe("r");
    expect(rig.service.connections - connectionsBefore).toBeLessThanOrEqual(21);
    expect(rig.service.asked).toHaveLength(22);
  });

  it("with a key take permits of their organisation alone, until their time is over", async () => {
    await using rig = await startRpcRig({ bodyTimeoutMs: 1_000 });
    const head = "Authorization: Bearer good-a\r\nContent-Length: 1000\r\n";
    const half = await Promise.all(Array.from({ length: 290 }, () => halfSent(rig, head)));
    const ends = half.map(firstLine);
    expect(await getRun(connectTo(rig), "good-b")).toBe("r");
    expect(rig.service.asked).toHaveLength(1);
    const answers = new Set(await Promise.all(ends));
    // What is beyond its share of the service's calls is rejected at once.
    answers.delete("HTTP/1.1 503 Service Unavailable");
    expect(answers).toEqual(new Set(["HTTP/1.1 408 Request Timeout"]));
    expect(rig.taken()).toBe(0);
    for (const socket of half) socket.destroy();
  });
});

describe("three hundred streams that one key holds", () => {
  it("keep no call of another organisation waiting", async () => {
    await using rig = await startRpcRig();
    const transport = connectTo(rig);
    const held = await Promise.all(Array.from({ length: 300 }, () => watch(rig, "good-a", transport)));
    expect(rig.service.open).toBe(300);
    expect(await getRun(transport, "good-b")).toBe("r");
    for (const each of held) each.abort();
    await eventually(() => rig.service.aborted === 300, "the service to see all of them leave");
    expect(rig.taken()).toBe(0);
  });
});
