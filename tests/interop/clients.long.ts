import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serviceAssertionHeader } from "@aiplatform/caller-identity";
import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import {
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus,
  HealthCheckResponseSchema,
} from "@aiplatform/contract/grpc/health/v1/health";
import {
  ServerReflection,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from "@aiplatform/contract/grpc/reflection/v1/reflection";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertionsOf } from "../mesh/internal-calls.ts";
import { pythonWithPackages } from "../notebooks/python-packages.ts";

const run = promisify(execFile);
const buf = fileURLToPath(new URL("../../node_modules/.bin/buf", import.meta.url));

let directory: string;
let running: LocalPlatform;
let platform: LocalPlatform["description"];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "interop-"));
  running = await startPlatform({ directory, trainer: false });
  platform = running.description;
});

afterAll(async () => {
  await running?.stop();
  await rm(directory, { recursive: true, force: true });
});

type ServiceName = "identity" | "training";
const services: ServiceName[] = ["identity", "training"];
const grpcUrl = (name: ServiceName) => `http://${platform.grpc[name]}`;
const httpUrl = (name: ServiceName) => running.httpUrls[name];

const clients: [string, (name: ServiceName) => Transport][] = [
  ["gRPC", (name) => createGrpcTransport({ baseUrl: grpcUrl(name) })],
  ["gRPC, through the gateway,", () => createGrpcTransport({ baseUrl: platform.gateway })],
  ["Connect", (name) => createConnectTransport({ baseUrl: httpUrl(name), httpVersion: "1.1" })],
  [
    "Connect with JSON",
    (name) => createConnectTransport({ baseUrl: httpUrl(name), httpVersion: "1.1", useBinaryFormat: false }),
  ],
  ["gRPC-Web", (name) => createGrpcWebTransport({ baseUrl: httpUrl(name), httpVersion: "1.1" })],
];

describe.each(clients)("a %s client", (_, transport) => {
  const headers = () => ({ headers: { authorization: `Bearer ${platform.api_key}` } });

  it("reads a run from training", async () => {
    const { run } = await createClient(RunService, transport("training")).getRun({ runId: platform.run_id }, headers());
    expect(run?.pipelineId).toBe(platform.pipeline_id);
  });

  it("lists keys at identity", async () => {
    const { apiKeys } = await createClient(ApiKeyService, transport("identity")).listApiKeys({}, headers());
    expect(apiKeys.length).toBeGreaterThan(0);
  });

  it.each([
    ["without a credential", () => ({}), Code.Unauthenticated],
    [
      "with a key of another organisation",
      () => ({ headers: { authorization: `Bearer ${platform.foreign.api_key}` } }),
      Code.NotFound,
    ],
  ])("is refused %s", async (_case, options, code) => {
    const call = createClient(RunService, transport("training")).getRun({ runId: platform.run_id }, options());
    await expect(call.catch((reason: unknown) => ConnectError.from(reason).code)).resolves.toBe(code);
  });

  it("learns which field breaks which rule", async () => {
    const call = createClient(RunService, transport("training")).getRun({ runId: "x" }, headers());
    const error = await call.then(() => undefined, ConnectError.from);
    expect(error?.code).toBe(Code.InvalidArgument);
    expect(error?.message).toContain("run_id");
  });
});

describe.each(services)("%s, to a plain grpc-js client", (name) => {
  const bytes = { serialize: (b: Buffer) => b, deserialize: (b: Buffer) => b };

  it("answers the standard health check", async () => {
    const client = new grpc.Client(platform.grpc[name], grpc.credentials.createInsecure());
    const request = Buffer.from(
      toBinary(HealthCheckRequestSchema, { $typeName: "grpc.health.v1.HealthCheckRequest", service: "" }),
    );
    const answer = await new Promise<Buffer>((resolve, reject) =>
      client.makeUnaryRequest(
        "/grpc.health.v1.Health/Check",
        bytes.serialize,
        bytes.deserialize,
        request,
        (error, value) => (value ? resolve(value) : reject(error ?? new Error("no answer"))),
      ),
    );
    client.close();
    expect(fromBinary(HealthCheckResponseSchema, answer).status).toBe(HealthCheckResponse_ServingStatus.SERVING);
  });

  it("lists its services by reflection, and describes each of them", async () => {
    const answers = await reflect(platform.grpc[name], [{ case: "listServices", value: "" }]);
    const [listed] = answers;
    if (listed?.messageResponse.case !== "listServicesResponse") throw new Error("no list of services");
    const names = listed.messageResponse.value.service.map((service) => service.name);
    expect(names).toEqual(expect.arrayContaining(["grpc.health.v1.Health"]));
    expect(names.some((service) => service.startsWith(`aiplatform.${name}.v1.`))).toBe(true);
    const described = await reflect(
      platform.grpc[name],
      names.map((value) => ({ case: "fileContainingSymbol" as const, value })),
    );
    expect(described.map(({ messageResponse }) => messageResponse.case)).toEqual(
      names.map(() => "fileDescriptorResponse"),
    );
  });
});

type Question = { case: "listServices" | "fileContainingSymbol"; value: string };

async function reflect(address: string, questions: Question[]): Promise<ServerReflectionResponse[]> {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  const call = client.makeBidiStreamRequest(
    `/${ServerReflection.typeName}/ServerReflectionInfo`,
    (question: Question) =>
      Buffer.from(
        toBinary(ServerReflectionRequestSchema, {
          $typeName: "grpc.reflection.v1.ServerReflectionRequest",
          host: "",
          messageRequest: question,
        }),
      ),
    (answer: Buffer) => fromBinary(ServerReflectionResponseSchema, answer),
  );
  for (const question of questions) call.write(question);
  call.end();
  const answers: ServerReflectionResponse[] = [];
  for await (const answer of call) answers.push(answer);
  client.close();
  return answers;
}

/** Its packages are fetched the first time. */
const pythonWithinMs = 300_000;

describe("a client in Python that knows what reflection says", () => {
  it(
    "calls, watches, cancels, runs out of time, and learns what is wrong",
    async () => {
      const requirements = fileURLToPath(new URL("./requirements.txt", import.meta.url));
      const { python, env } = await pythonWithPackages({ name: "grpcio", requirements });
      const program = fileURLToPath(new URL("./python_client.py", import.meta.url));
      const gateway = new URL(platform.gateway).host;
      const args = [program, platform.grpc.training, gateway, platform.api_key, platform.run_id];
      const { stdout } = await run(python, args, { env: { ...process.env, ...env }, timeout: 60_000 });
      expect(JSON.parse(stdout)).toEqual({
        services: expect.arrayContaining(["aiplatform.training.v1.RunService", "grpc.health.v1.Health"]),
        run: platform.run_id,
        request_id: "asked-in-python",
        through_gateway: platform.run_id,
        refused_by_gateway: "UNAUTHENTICATED",
        refused_why: ["google.rpc.ErrorInfo"],
        unknown_to_gateway: "UNIMPLEMENTED",
        without_credential: "UNAUTHENTICATED",
        too_late: "DEADLINE_EXCEEDED",
        details: ["buf.validate.Violations", "google.rpc.ErrorInfo", "google.rpc.BadRequest"],
        health: "SERVING",
        watched: "SERVING",
        cancelled: "CANCELLED",
      });
    },
    pythonWithinMs,
  );
});

describe("buf curl, which is told nothing but an address", () => {
  it.each([["grpc-v1"], ["grpc-v1alpha"]])("calls by reflection of %s", async (reflection) => {
    const schema = ["--reflect-protocol", reflection, "--protocol", "grpc", "--http2-prior-knowledge"];
    const header = ["--header", `authorization: Bearer ${platform.api_key}`];
    const data = ["--data", JSON.stringify({ run_id: platform.run_id })];
    const url = `${grpcUrl("training")}/aiplatform.training.v1.RunService/GetRun`;
    const { stdout } = await run(buf, ["curl", ...schema, ...header, ...data, url]);
    expect(JSON.parse(stdout).run.id).toBe(platform.run_id);
  });
});

describe("a Connect call through the gateway", () => {
  it("reaches the owning service, which authenticates the caller itself", async () => {
    const transport = createConnectTransport({ baseUrl: platform.gateway, httpVersion: "1.1" });
    const client = createClient(RunService, transport);
    const { run } = await client.getRun(
      { runId: platform.run_id },
      { headers: { authorization: `Bearer ${platform.bearer}` } },
    );
    expect(run?.id).toBe(platform.run_id);
    const refused = await client
      .getRun({ runId: randomUUID() }, { headers: { "x-caller-context": "forged" } })
      .then(() => undefined, ConnectError.from);
    expect(refused?.code).toBe(Code.Unauthenticated);
  });

  it.each([[{}], [{ expect: "100-continue" }]])(
    "believes no caller context that a client brings, though it be a true one: %j",
    async (further) => {
      const exchange = createClient(CredentialService, createGrpcTransport({ baseUrl: grpcUrl("identity") }));
      const gateway = assertionsOf(directory, "gateway");
      const { signedContexts } = await exchange.exchangeCredential(
        { bearer: platform.api_key },
        { headers: { [serviceAssertionHeader]: await gateway.for("identity") } },
      );
      const stolen = { "content-type": "application/json", "x-caller-context": signedContexts["training"] };
      const headers = { ...stolen, [serviceAssertionHeader]: await gateway.for("training") };
      const body = JSON.stringify({ runId: platform.run_id });
      expect((await posted(httpUrl("training"), body, headers)).statusCode).toBe(200);
      expect((await posted(httpUrl("training"), body, stolen)).statusCode).toBe(401);
      const passed = await posted(platform.gateway, body, { ...headers, ...further });
      expect(passed.statusCode).toBe(401);
    },
  );
});

/** Sends a call as plain HTTP, with headers that fetch would not let through. */
async function posted(url: string, body: string, headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
  const length = { "content-length": Buffer.byteLength(body) };
  const call = request(`${url}/aiplatform.training.v1.RunService/GetRun`, {
    method: "POST",
    headers: { ...headers, ...length },
  });
  call.end(body);
  const [answer] = await once(call, "response");
  answer.resume();
  return answer;
}
