import { once } from "node:events";
import { connect } from "node:http2";
import { Health, HealthCheckResponse_ServingStatus as Status } from "@aiplatform/contract/grpc/health/v1/health";
import {
  ServerReflection,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from "@aiplatform/contract/grpc/reflection/v1/reflection";
import { create, createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMeshTransport, type MeshTransport } from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";
import { type MeshRig, startMeshRig } from "./rig/mesh-rig.ts";
import { until } from "./rig/until.ts";

let rig: MeshRig;
let mesh: MeshTransport;
beforeAll(async () => {
  rig = await startMeshRig();
  mesh = createMeshTransport({ addresses: rig.service.addresses.grpc });
});
afterAll(async () => {
  mesh.close();
  await rig[Symbol.asyncDispose]();
});

describe("the gRPC port", () => {
  it("lets a sender go 4 MiB ahead, so that large batches do not wait for round trips", async () => {
    const session = connect(`http://${rig.service.addresses.grpc}`);
    const request = session.request({ ":method": "POST", ":path": "/", "content-type": "application/grpc" });
    request.on("error", () => {});
    while (session.remoteSettings.initialWindowSize !== 4 * 1024 * 1024) await once(session, "remoteSettings");
    while ((session.state.remoteWindowSize ?? 0) < 4 * 1024 * 1024)
      await new Promise((resolve) => session.ping(resolve));
    session.destroy();
  });
});

describe("reflection, asked by a plain gRPC client", () => {
  type Question = Parameters<typeof create<typeof ServerReflectionRequestSchema>>[1];
  async function ask(...questions: NonNullable<Question>[]): Promise<ServerReflectionResponse["messageResponse"][]> {
    const client = new Client(rig.service.addresses.grpc, credentials.createInsecure());
    const call = client.makeBidiStreamRequest(
      `/${ServerReflection.typeName}/ServerReflectionInfo`,
      (question: NonNullable<Question>) =>
        Buffer.from(toBinary(ServerReflectionRequestSchema, create(ServerReflectionRequestSchema, question))),
      (bytes: Buffer) => fromBinary(ServerReflectionResponseSchema, bytes),
      new Metadata(),
    );
    for (const question of questions) call.write(question);
    call.end();
    const answers: ServerReflectionResponse["messageResponse"][] = [];
    for await (const answer of call) answers.push(answer.messageResponse);
    client.close();
    return answers;
  }

  it("lists every service", async () => {
    const [answer] = await ask({ messageRequest: { case: "listServices", value: "" } });
    if (answer?.case !== "listServicesResponse") throw new Error(answer?.case);
    expect(answer.value.service.map(({ name }) => name)).toEqual([
      "echo.v1.EchoService",
      "grpc.health.v1.Health",
      "grpc.reflection.v1.ServerReflection",
      "grpc.reflection.v1alpha.ServerReflection",
    ]);
  });

  it.each([
    "echo.v1.EchoService",
    "echo.v1.EchoService.Echo",
    "google.protobuf.StringValue",
    "grpc.health.v1.Health",
    // Details of errors, which grpcurl showed as raw bytes.
    "google.rpc.ErrorInfo",
    "google.rpc.BadRequest",
    "google.rpc.RetryInfo",
    "buf.validate.Violations",
  ])("gives the file of %s with all it imports, enough to call it", async (symbol) => {
    const [answer] = await ask({ messageRequest: { case: "fileContainingSymbol", value: symbol } });
    if (answer?.case !== "fileDescriptorResponse") throw new Error(answer?.case);
    const file = answer.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: file.reverse() }));
    expect(registry.get(symbol.replace(/\.Echo$/, ""))).toBeDefined();
  });

  it("finds files by name, and says what it does not know", async () => {
    const answers = await ask(
      { messageRequest: { case: "fileByFilename", value: "google/protobuf/wrappers.proto" } },
      { messageRequest: { case: "fileByFilename", value: "nowhere.proto" } },
      { messageRequest: { case: "fileContainingSymbol", value: "no.Such" } },
    );
    expect(answers.map((answer) => answer.case)).toEqual(["fileDescriptorResponse", "errorResponse", "errorResponse"]);
  });
});

describe("health", () => {
  const health = () => createClient(Health, mesh);

  it("is SERVING for the whole and for each service, without a credential", async () => {
    for (const service of ["", EchoService.typeName]) {
      expect((await health().check({ service })).status).toBe(Status.SERVING);
    }
  });

  it("knows nothing of other services", async () => {
    const error = await health()
      .check({ service: "x.Y" })
      .catch((reason: unknown) => ConnectError.from(reason));
    expect(error).toMatchObject({ code: Code.NotFound });
  });

  it("tells watchers when a dependency goes and comes back", async () => {
    const controller = new AbortController();
    const watch = health().watch({ service: "" }, { signal: controller.signal })[Symbol.asyncIterator]();
    expect((await watch.next()).value?.status).toBe(Status.SERVING);
    rig.checks.set("store", () => Promise.reject(new Error("gone")));
    expect((await watch.next()).value?.status).toBe(Status.NOT_SERVING);
    rig.checks.delete("store");
    expect((await watch.next()).value?.status).toBe(Status.SERVING);
    controller.abort();
  });
});

describe("the admin port", () => {
  const get = async (path: string) => {
    const response = await fetch(`${rig.service.addresses.admin}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const ready = async (status: number) => {
    let text = "";
    await until(async () => {
      const answer = await get("/readyz");
      text = answer.text;
      return answer.status === status;
    });
    return JSON.parse(text);
  };

  it("is not ready while a named check fails or outlasts its time, and alive all along", async () => {
    rig.checks.set("store", () => Promise.reject(new Error("connection refused")));
    expect(await ready(503)).toMatchObject({
      ready: false,
      checks: { store: { ok: false, error: "connection refused" } },
    });
    rig.checks.set("store", () => new Promise(() => {}));
    await until(async () => (await get("/readyz")).text.includes("no answer within 200 ms"));
    expect((await get("/livez")).status).toBe(200);
    rig.checks.delete("store");
    expect(await ready(200)).toMatchObject({ ready: true, phase: "serving", checks: { store: { ok: true } } });
  });

  it.each([
    ["is away", () => Promise.reject(new Error("connection refused")), "connection refused"],
    ["hangs", () => new Promise<void>(() => {}), "no answer within 200 ms"],
  ])("stays ready, at once, while a dependency %s, and tells of it", async (_, check, error) => {
    const told = async (ok: boolean) => {
      let report = await ready(200);
      await until(async () => {
        report = await ready(200);
        return report.dependencies.stream.ok === ok;
      });
      return report;
    };
    await told(true);
    rig.checks.set("stream", check);
    expect(await told(false)).toMatchObject({ ready: true, dependencies: { stream: { ok: false, error } } });
    expect((await get("/metrics")).text).toMatch(/dependency_up\{.*dependency="stream".*\} 0/);
    expect(await createClient(Health, mesh).check({})).toMatchObject({ status: Status.SERVING });
    rig.checks.delete("stream");
    await told(true);
    expect((await get("/metrics")).text).toMatch(/dependency_up\{.*dependency="stream".*\} 1/);
  });

  it("exposes the duration of calls by service, method and code", async () => {
    const echo = createClient(EchoService, mesh);
    await echo.echo({ value: "x" }, { headers: await rig.sign() });
    await echo.echo({ value: "x" }).catch(() => {});
    const { text } = await get("/metrics");
    const labels = 'rpc_service="echo.v1.EchoService",rpc_method="Echo",rpc_response_status_code=';
    expect(text).toContain(`${labels}"OK"`);
    expect(text).toContain(`${labels}"Unauthenticated"`);
    expect(text).toMatch(/rpc_server_call_duration_(seconds_)?bucket\{/);
  });
});

describe("a request id", () => {
  const echoed = async (id: string) => {
    let header = new Headers();
    const onHeader = (received: Headers) => {
      header = received;
    };
    const headers = [...(await rig.sign()), ["x-request-id", id]] satisfies [string, string][] | string[][];
    await createClient(EchoService, mesh).echo({ value: "x" }, { headers: new Headers(headers), onHeader });
    return header.get("x-request-id");
  };

  it("of the caller is kept when it is safe", async () => {
    expect(await echoed("abc-123")).toBe("abc-123");
  });

  it.each(["a b", "x".repeat(129), '{"a":1}'])("that is not (%#) is replaced", async (id) => {
    expect(await echoed(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });
});
