import { BadRequestSchema, ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMeshTransport, type MeshTransport } from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";
import { type MeshRig, startMeshRig } from "./rig/mesh-rig.ts";
import { until } from "./rig/until.ts";

type Echo = Client<typeof EchoService>;

let rig: MeshRig;
let mesh: MeshTransport;
let headers: Headers;
beforeAll(async () => {
  rig = await startMeshRig();
  mesh = createMeshTransport({ addresses: rig.service.addresses.grpc });
  headers = await rig.sign();
});
afterAll(async () => {
  mesh.close();
  await rig[Symbol.asyncDispose]();
});

const transports: Record<string, () => Transport> = {
  "the mesh transport": () => mesh,
  "Connect's gRPC transport": () => createGrpcTransport({ baseUrl: `http://${rig.service.addresses.grpc}` }),
  "Connect over HTTP/1.1": () => createConnectTransport({ baseUrl: rig.service.addresses.http, httpVersion: "1.1" }),
  "Connect with JSON": () =>
    createConnectTransport({ baseUrl: rig.service.addresses.http, httpVersion: "1.1", useBinaryFormat: false }),
  "gRPC-Web": () => createGrpcWebTransport({ baseUrl: rig.service.addresses.http, httpVersion: "1.1" }),
};

async function failureOf(work: PromiseLike<unknown>): Promise<ConnectError> {
  return ConnectError.from(
    await Promise.resolve(work).then(
      () => new Error("it succeeded"),
      (error: unknown) => error,
    ),
  );
}

async function collect<T>(messages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

async function* numbers(...values: number[]) {
  for (const value of values) yield { value };
}

describe.each(Object.keys(transports))("a client of %s", (name) => {
  let client: Echo;
  beforeAll(() => {
    const transport = transports[name];
    if (!transport) throw new Error(name);
    client = createClient(EchoService, transport());
  });

  it("gets the answer of a unary call, with headers and trailers both ways", async () => {
    const seen: Headers[] = [];
    const answer = await client.echo(
      { value: "hello" },
      {
        headers: [...headers, ["x-say", "hi"], ["x-say-bin", "AAEC"]],
        onHeader: (header) => seen.push(header),
        onTrailer: (trailer) => seen.push(trailer),
      },
    );
    expect(answer.value).toBe("hello");
    expect(seen.map((each) => each.get("x-echo") ?? each.get("x-echo-trailer"))).toEqual(["hi", "end"]);
    expect(seen[0]?.get("x-echo-bin")).toMatch(/^AAEC$/);
    expect(seen[0]?.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("gets every message of a server stream, then its trailers", async () => {
    let trailer = new Headers();
    const onTrailer = (received: Headers) => {
      trailer = received;
    };
    const answers = await collect(client.count({ value: 100 }, { headers, onTrailer }));
    expect(answers.map(({ value }) => value)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(trailer.get("x-count-trailer")).toBe("100");
  });

  it("gets the messages before the error of a stream, then the error", async () => {
    const received: number[] = [];
    const error = await failureOf(
      (async () => {
        for await (const { value } of client.count({ value: -3 }, { headers })) received.push(value);
      })(),
    );
    expect(received).toEqual([1, 2, 3]);
    expect(error.code).toBe(Code.FailedPrecondition);
    expect(error.findDetails(ErrorInfoSchema)[0]?.reason).toBe("ECHO_TOO_LOUD");
  });

  it("has a stream of requests summed up", async () => {
    expect((await client.sum(numbers(1, 2, 3), { headers })).value).toBe(6);
  });

  it("receives error details and metadata", async () => {
    const error = await failureOf(client.echo({ value: "details" }, { headers }));
    expect([error.code, error.rawMessage, error.metadata.get("x-why")]).toEqual([
      Code.OutOfRange,
      "with details",
      "because",
    ]);
    expect(error.findDetails(BadRequestSchema)[0]?.fieldViolations[0]?.field).toBe("value");
  });

  it("receives a listed failure by code, message and reason", async () => {
    const error = await failureOf(client.echo({ value: "loud" }, { headers }));
    expect([error.code, error.rawMessage]).toEqual([Code.FailedPrecondition, "too loud"]);
    const [info] = error.findDetails(ErrorInfoSchema);
    expect([info?.reason, info?.domain, info?.metadata]).toEqual(["ECHO_TOO_LOUD", "aiplatform", { hint: "whisper" }]);
  });

  it("receives nothing of an unlisted failure but its request id", async () => {
    const error = await failureOf(
      client.echo({ value: "bug" }, { headers: [...headers, ["x-request-id", `bug-${name.length}`]] }),
    );
    expect([error.code, error.rawMessage]).toEqual([Code.Internal, "internal error"]);
    expect(error.metadata.get("x-request-id")).toBe(`bug-${name.length}`);
    const line = rig.log.lines.find((each) => each["request_id"] === `bug-${name.length}`);
    expect(JSON.stringify(line?.["err"])).toContain("hunter2");
  });

  it("is told DEADLINE_EXCEEDED when its deadline passes, and so is the handler", async () => {
    const before = rig.record.contexts.length;
    const error = await failureOf(client.hold({ value: "x" }, { headers, timeoutMs: 100 }));
    expect(error.code).toBe(Code.DeadlineExceeded);
    const context = rig.record.contexts[before];
    expect(context?.timeoutMs()).toBeLessThanOrEqual(100);
    await aborted(context?.signal);
  });

  it("cancels a call, and the handler learns of it", async () => {
    const before = rig.record.contexts.length;
    const controller = new AbortController();
    const call = failureOf(client.hold({ value: "x" }, { headers, signal: controller.signal }));
    await until(() => rig.record.contexts.length > before);
    controller.abort();
    expect((await call).code).toBe(Code.Canceled);
    await aborted(rig.record.contexts[before]?.signal);
  });

  it("is refused without a credential", async () => {
    const error = await failureOf(client.echo({ value: "x" }));
    expect(error.code).toBe(Code.Unauthenticated);
    expect(error.findDetails(ErrorInfoSchema)[0]?.reason).toBe("CREDENTIAL_MISSING");
  });

  it("is refused without the permission, which is named", async () => {
    const error = await failureOf(client.whisper({ value: "x" }, { headers }));
    expect([error.code, error.rawMessage]).toEqual([Code.PermissionDenied, "Missing permission: echo:whisper"]);
    expect(error.findDetails(ErrorInfoSchema)[0]?.metadata).toEqual({ permission: "echo:whisper" });
  });

  it("passes the interceptors once per call", async () => {
    const id = `once-${name.length}`;
    await client.echo({ value: "x" }, { headers: [...headers, ["x-request-id", id]] });
    await until(() => rig.log.lines.some((line) => line["request_id"] === id));
    expect(rig.log.lines.filter((line) => line["request_id"] === id)).toHaveLength(1);
  });
});

describe.each(["the mesh transport", "Connect's gRPC transport"])("a client of %s", (name) => {
  it("converses: each answer comes before the next question", async () => {
    const transport = transports[name]?.();
    if (!transport) throw new Error(name);
    const heard: string[] = [];
    let next = Promise.withResolvers<void>();
    async function* questions() {
      for (const value of ["a", "b", "c"]) {
        yield { value };
        await next.promise;
        next = Promise.withResolvers();
      }
    }
    for await (const { value } of createClient(EchoService, transport).converse(questions(), { headers })) {
      heard.push(value);
      next.resolve();
    }
    expect(heard).toEqual(["a!", "b!", "c!"]);
  });
});

describe("a slow reader", () => {
  it("holds the sender back instead of filling its memory", async () => {
    rig.record.sent.length = 0;
    const controller = new AbortController();
    const client = createClient(EchoService, mesh);
    const messages = client.flood({ value: 4_000 }, { headers, signal: controller.signal })[Symbol.asyncIterator]();
    await messages.next();
    const settled = await steady(() => rig.record.sent.length);
    expect(settled).toBeLessThan(1_000);
    controller.abort();
  });
});

describe("a message above the limit", () => {
  it("is refused with RESOURCE_EXHAUSTED on both ports", async () => {
    const value = "x".repeat(5 * 1024 * 1024);
    for (const name of ["the mesh transport", "Connect over HTTP/1.1"]) {
      const transport = transports[name]?.();
      if (!transport) throw new Error(name);
      const error = await failureOf(createClient(EchoService, transport).echo({ value }, { headers }));
      expect([name, error.code]).toEqual([name, Code.ResourceExhausted]);
    }
  });
});

describe("a service that is not there", () => {
  it("is UNAVAILABLE, and callers of callers learn no address", async () => {
    const nowhere = createMeshTransport({ addresses: "127.0.0.1:1" });
    const client = createClient(EchoService, nowhere);
    for (const call of [() => client.echo({ value: "x" }), () => collect(client.count({ value: 1 }))]) {
      const error = await failureOf(call());
      expect([error.code, error.rawMessage]).toEqual([Code.Unavailable, "the service cannot be reached"]);
    }
    nowhere.close();
  });
});

describe("a source of requests that throws", () => {
  it("fails the call with its error, and the handler does not take the stream for complete", async () => {
    async function* broken() {
      yield { value: 1 };
      throw new RangeError("no more numbers");
    }
    const error = await failureOf(createClient(EchoService, mesh).sum(broken(), { headers }));
    expect(error.message).toContain("no more numbers");
  });
});

async function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (!signal) throw new Error("the handler was never called");
  await until(() => signal.aborted);
}

/** The value once it has stayed the same for a while. */
async function steady(read: () => number): Promise<number> {
  let [last, since] = [read(), performance.now()];
  while (performance.now() - since < 300) {
    await new Promise((resolve) => setImmediate(resolve));
    if (read() !== last) [last, since] = [read(), performance.now()];
  }
  return last;
}
