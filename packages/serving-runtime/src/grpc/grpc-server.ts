import { once } from "node:events";
import { createSecureServer, createServer, type Http2Session } from "node:http2";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError, type ConnectRouter, type Interceptor } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { failures, toPredictionError } from "../errors.ts";
import { GRPCInferenceService } from "../gen/inference_pb.js";
import type { HttpParts } from "../http/http-server.ts";
import type { TensorMetadata } from "../protocol/inference.ts";
import { readInferRequest, writeInferAnswer } from "./grpc-messages.ts";

/** The protocol over gRPC, over TLS alone where there is a certificate. @throws the listen error */
export async function startGrpcServer(parts: HttpParts, o: { host: string; port: number }) {
  const server = createHttp2Server(parts);
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  server.listen(o.port, o.host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : o.port,
    /** Says goodbye on each connection, which then ends with its last call. */
    async close(graceMs: number) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      const grace = setTimeout(() => {
        for (const session of sessions) session.destroy();
      }, graceMs);
      await closed;
      clearTimeout(grace);
    },
  };
}

function createHttp2Server(parts: HttpParts) {
  const { certificate } = parts;
  const answer = connectNodeAdapter({
    routes: (router) => inferenceRoutes(router, parts),
    interceptors: [guard(parts)],
    readMaxBytes: parts.maxBodyBytes,
    writeMaxBytes: Math.max(parts.maxBodyBytes * 2, 4_194_304),
    connect: false,
    grpcWeb: false,
  });
  if (!certificate) return createServer(answer);
  const server = createSecureServer(certificate.options, answer);
  certificate.onRenewal((renewed) => server.setSecureContext(renewed));
  return server;
}

const open: ReadonlySet<string> = new Set(["ServerLive", "ServerReady"]);

/** The token first, and our failures as gRPC's. */
function guard({ assertToken }: HttpParts): Interceptor {
  return (next) => async (request) => {
    try {
      if (!open.has(request.method.name)) assertToken(request.header.get("authorization") ?? undefined);
      return await next(request);
    } catch (error) {
      throw error instanceof ConnectError ? error : toConnectError(error);
    }
  };
}

function toConnectError(error: unknown): ConnectError {
  const { kind, message } = toPredictionError(error);
  const value = { reason: kind.toUpperCase(), domain: "aiplatform" };
  return new ConnectError(message, Code[failures[kind].code], undefined, [{ desc: ErrorInfoSchema, value }]);
}

function inferenceRoutes(router: ConnectRouter, { instance }: HttpParts): void {
  const { manifest } = instance;
  router.service(GRPCInferenceService, {
    serverLive: () => ({ live: true }),
    serverReady: () => ({ ready: instance.isReady }),
    modelReady({ name, version }) {
      instance.assertServes(name, version);
      return { ready: instance.isReady };
    },
    serverMetadata: () => ({ name: "aiplatform-serving-runtime", version: "1" }),
    modelMetadata({ name, version }) {
      instance.assertServes(name, version);
      const { platform, inputs, outputs } = instance.engine.metadata;
      const versions = [manifest.version];
      return { name, versions, platform, inputs: inputs.map(tensorMessage), outputs: outputs.map(tensorMessage) };
    },
    async modelInfer(message, { signal }) {
      instance.assertServes(message.modelName, message.modelVersion);
      const answer = await instance.predict(readInferRequest(message), signal);
      const isRaw = message.rawInputContents.length > 0;
      return writeInferAnswer(answer, {
        modelName: manifest.model_name,
        modelVersion: manifest.version,
        id: message.id,
        isRaw,
      });
    },
  });
}

function tensorMessage({ name, datatype, shape }: TensorMetadata) {
  return { name, datatype, shape: shape.map(BigInt) };
}
