// The far end of hop.bench.ts: the host with all its interceptors, Connect's adapter with the same ones, or a bare server.
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { createContextSigner, createContextVerifier, FailedCredentialLimiter } from "@aiplatform/caller-identity";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { createLogger, hostSettings, readSettings, startService, startTelemetry } from "../src/index.ts";
import { serverInterceptors } from "../src/interceptors.ts";
import { EchoService } from "../tests/rig/echo-service.ts";

const now = () => new Date();
const privateKeyPem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
// Contexts last 60 s and the bench longer: the verifier's clock stands still.
const signer = createContextSigner({ privateKeyPem, now });
const signedAt = now();
const callers = { verifier: createContextVerifier({ jwks: async () => signer.jwks(), now: () => signedAt }) };
const caller = { organisationId: "o1", credentialId: "k1", permissions: new Set(["echo:use"]) };
const header = { "x-caller-context": (await signer.sign(caller)).signedContext };
const echo = { echo: ({ value }: { value: string }) => ({ value }) };

async function startHost() {
  const env = { HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "warn" };
  const { addresses } = await startService({
    name: "bench",
    config: readSettings(hostSettings, env),
    services: [EchoService],
    errors: new Map(),
    callers,
    start: async () => ({ routes: (router) => router.service(EchoService, echo), checks: {}, close: [] }),
  });
  return addresses;
}

const servers: Record<string, () => Promise<string>> = {
  host: async () => (await startHost()).grpc,
  "host's HTTP port": async () => new URL((await startHost()).http).host,
  connect() {
    const failedCredentials = new FailedCredentialLimiter({ perMinute: 20 });
    const telemetry = startTelemetry({ service: "bench", config: readSettings(hostSettings, {}) });
    const logger = createLogger({ service: "bench", level: "warn" });
    const parts = {
      ...telemetry,
      logger,
      newId: () => crypto.randomUUID(),
      errors: new Map(),
      callers,
      trust: undefined,
      failedCredentials,
    };
    const interceptors = serverInterceptors(parts).map(({ interceptor }) => interceptor);
    return listen(
      http2.createServer(connectNodeAdapter({ interceptors, routes: (router) => router.service(EchoService, echo) })),
    );
  },
  http1() {
    const server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { value } = fromBinary(StringValueSchema, Buffer.concat(chunks));
        const body = toBinary(StringValueSchema, create(StringValueSchema, { value }));
        response.writeHead(200, { "content-length": body.byteLength }).end(body);
      });
    });
    return listen(server);
  },
  http2() {
    const server = http2.createServer();
    server.on("stream", (stream: http2.ServerHttp2Stream) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { value } = fromBinary(StringValueSchema, Buffer.concat(chunks));
        stream.respond({ ":status": 200 });
        stream.end(toBinary(StringValueSchema, create(StringValueSchema, { value })));
      });
    });
    return listen(server);
  },
};

async function listen(server: http.Server | http2.Http2Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const address = await servers[process.argv[2] ?? ""]?.();
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system });
});
process.send?.({ address, header });
