import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { callerOf, createContextVerifier, credentialHeaders, errorDomain } from "@aiplatform/caller-identity";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { ViolationsSchema } from "@aiplatform/contract/buf/validate/validate";
import { BadRequestSchema, ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { trace } from "@opentelemetry/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createMeshTransport,
  currentCall,
  hostSettings,
  type MeshTransport,
  type RunningService,
  readSettings,
  startService,
} from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";
import { captureLog, localSettings, type MeshRig, startMeshRig } from "./rig/mesh-rig.ts";

let rig: MeshRig;
let front: RunningService;
let collector: Server;
let mesh: MeshTransport;
const spans: string[] = [];
const seen: { traceId?: string | undefined; requestId?: string | undefined }[] = [];

/** A service in front of the echo service, with a collector for its spans. */
beforeAll(async () => {
  rig = await startMeshRig();
  collector = createServer((request, response) => {
    request.on("data", (chunk) => spans.push(String(chunk)));
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const address = collector.address();
  const port = typeof address === "object" && address ? address.port : 0;
  front = await startService({
    name: "front",
    config: readSettings(hostSettings, {
      ...localSettings,
      IDENTITY_ADDRESS: rig.identity.addresses.grpc,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    }),
    services: [EchoService, TrainerService],
    errors: new Map(),
    log: captureLog().destination,
    start: async ({ peers }) => {
      const next = createClient(EchoService, peers(rig.service.addresses.grpc));
      return {
        checks: {},
        close: [],
        routes: (router) => {
          router.service(TrainerService, { acknowledgeCommand: () => ({}) });
          router.service(EchoService, {
            async echo({ value }, context) {
              seen.push({ traceId: trace.getActiveSpan()?.spanContext().traceId, requestId: currentCall()?.requestId });
              return next.echo({ value }, { headers: credentialHeaders(callerOf(context), "training") });
            },
            // Does not pass its deadline on by hand, and calls a service that never answers.
            hold: ({ value }, context) =>
              next.hold({ value }, { headers: credentialHeaders(callerOf(context), "training") }),
          });
        },
      };
    },
  });
  mesh = createMeshTransport({ addresses: front.addresses.grpc });
});
afterAll(async () => {
  mesh.close();
  await front.stop();
  collector.close();
  await rig[Symbol.asyncDispose]();
});

async function failureOf(work: Promise<unknown>): Promise<ConnectError> {
  return ConnectError.from(
    await work.then(
      () => new Error("it succeeded"),
      (error: unknown) => error,
    ),
  );
}

describe("a call that goes through two services", () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";

  it("keeps its trace and its request id all the way, and the caller", async () => {
    const headers = await rig.sign({ organisationId: "o9" });
    headers.set("traceparent", `00-${traceId}-b7ad6b7169203331-01`);
    headers.set("x-request-id", "two-services");
    const client = createClient(EchoService, mesh);
    expect((await client.echo({ value: "x" }, { headers })).value).toBe("x");
    expect(seen.at(-1)).toEqual({ traceId, requestId: "two-services" });
    const line = rig.log.lines.find((each) => each["request_id"] === "two-services");
    expect(line).toMatchObject({ trace_id: traceId });
    const arrived = rig.record.contexts.at(-1)?.requestHeader.get("traceparent");
    expect(arrived).toMatch(new RegExp(`^00-${traceId}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`));
    expect(rig.record.callers.at(-1)?.organisationId).toBe("o9");
  });

  it("has one deadline: the second service learns what is left of it", async () => {
    const before = rig.record.contexts.length;
    const error = await failureOf(
      createClient(EchoService, mesh).hold({ value: "x" }, { headers: await rig.sign(), timeoutMs: 300 }),
    );
    expect(error.code).toBe(Code.DeadlineExceeded);
    expect(rig.record.contexts).toHaveLength(before + 1);
    expect(rig.record.contexts[before]?.timeoutMs()).toBeLessThanOrEqual(300);
  });
});

describe("a request that breaks the contract's rules", () => {
  it("is INVALID_ARGUMENT with each violation, on both ports", async () => {
    const headers = await rig.sign({ permissions: ["metrics:report"] });
    const error = await failureOf(createClient(TrainerService, mesh).acknowledgeCommand({ runId: "no" }, { headers }));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.findDetails(ViolationsSchema)[0]?.violations.length).toBeGreaterThan(0);
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "FIELDS_INVALID", domain: errorDomain }]);
    expect(error.findDetails(BadRequestSchema)[0]?.fieldViolations).toContainEqual(
      expect.objectContaining({ field: "run_id", reason: "STRING_UUID", description: expect.stringContaining("UUID") }),
    );
    const response = await fetch(`${front.addresses.http}/aiplatform.training.v1.TrainerService/AcknowledgeCommand`, {
      method: "POST",
      headers: [...headers, ["content-type", "application/json"]],
      body: '{"runId":"no"}',
    });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_argument" }]);
  });
});

describe("spans", () => {
  it("reach the collector when the service stops, at the latest", async () => {
    const own = await startService({
      name: "short",
      config: readSettings(hostSettings, { ...localSettings, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint() }),
      services: [],
      errors: new Map(),
      log: captureLog().destination,
      callers: { verifier: createContextVerifier({ jwks: async () => "{}", now: () => new Date() }) },
      start: async () => ({ routes: () => {}, checks: {}, close: [] }),
    });
    const { Health } = await import("@aiplatform/contract/grpc/health/v1/health");
    const transport = createMeshTransport({ addresses: own.addresses.grpc });
    await createClient(Health, transport).check({});
    transport.close();
    await own.stop();
    expect(spans.join("")).toContain("grpc.health.v1.Health/Check");
  });

  function endpoint(): string {
    const address = collector.address();
    return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  }
});
