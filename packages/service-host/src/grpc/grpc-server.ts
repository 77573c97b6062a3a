import type { Http2SecureServer, Http2Server, ServerHttp2Session } from "node:http2";
import { refusal } from "@aiplatform/caller-identity";
import type { Interceptor, ServiceImplSpec } from "@connectrpc/connect";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { Logger } from "../logger.ts";
import { OpenCalls } from "../open-calls.ts";
import type { MeshIdentity } from "../tls/mesh-identity.ts";
import { logRefusedHandshakes } from "../tls/refused-handshakes.ts";
import { grpcHandlers } from "./grpc-handlers.ts";
import { statusInterceptor } from "./status-interceptor.ts";
import { answerUnknownMethods } from "./unknown-methods.ts";

/** Bytes a peer may send ahead on a stream and on a connection: large batches should not wait for round trips. */
export const flowControlWindow = 4 * 1024 * 1024;
/** How long handlers have, after their calls were ended, to unwind before connections are cut. */
const unwindMs = 1_000;

export interface GrpcServer {
  readonly port: number;
  /** Refuses new calls, lets those under way finish for up to `graceMs`, ends the rest with UNAVAILABLE. */
  stop(graceMs: number): Promise<void>;
}

/** Serves Connect implementations to gRPC clients over HTTP/2, with certificates on both sides where there is an identity. */
export async function startGrpcServer(o: {
  host: string;
  port: number;
  services: readonly ServiceImplSpec[];
  interceptors: Interceptor[];
  /** Whether an error without details gets an ErrorInfo that names its code. */
  addsReasons: boolean;
  callTimeoutMs: number;
  maxMessageBytes: number;
  /** Age at which clients are told to connect again, ms. */
  connectionAgeMs: number;
  logger: Logger;
  tls?: MeshIdentity | undefined;
}): Promise<GrpcServer> {
  const server = new Server({
    "grpc.max_receive_message_length": o.maxMessageBytes,
    "grpc.max_send_message_length": -1,
    // Behind one address for many replicas a connection would stay with one of them for ever.
    "grpc.max_connection_age_ms": o.connectionAgeMs,
    // A dead peer is noticed within a minute, also behind a middlebox that forgot the connection.
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 20_000,
    "grpc.keepalive_permit_without_calls": 1,
    // Bookkeeping of every call for a debugging protocol that is not served.
    "grpc.enable_channelz": 0,
    interceptors: [statusInterceptor(o)],
  });
  const ending = new AbortController();
  const calls = new OpenCalls({ callTimeoutMs: o.callTimeoutMs, shutdownSignal: ending.signal });
  for (const service of o.services) {
    const { definition, implementation } = grpcHandlers(service, { interceptors: o.interceptors, calls });
    server.addService(definition, implementation);
  }
  answerUnknownMethods(server);
  const port = await bind(server, `${o.host.includes(":") ? `[${o.host}]` : o.host}:${o.port}`, o.tls);
  for (const http2Server of http2ServersOf(server)) {
    widenWindows(http2Server);
    if (o.tls) logRefusedHandshakes(http2Server, { logger: o.logger, port: "grpc" });
  }
  return { port, stop: (graceMs) => stop(server, ending, graceMs) };
}

function bind(server: Server, address: string, tls: MeshIdentity | undefined): Promise<number> {
  const credentials = tls?.serverCredentials() ?? ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });
}

/** grpc-js hides its servers, which alone say what its options do not reach. */
function http2ServersOf(server: Server): Iterable<Http2Server | Http2SecureServer> {
  const servers: Map<Http2Server | Http2SecureServer, unknown> = server["http2Servers"];
  return servers.keys();
}

/** grpc-js lets only clients choose their windows. */
function widenWindows(server: Http2Server | Http2SecureServer): void {
  server.on("session", (session: ServerHttp2Session) => {
    session.settings({ initialWindowSize: flowControlWindow });
    session.setLocalWindowSize(flowControlWindow);
  });
}

async function stop(server: Server, ending: AbortController, graceMs: number): Promise<void> {
  // Sends GOAWAY and closes the listener: clients open new calls elsewhere, streams under way go on.
  const finished = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  const grace = setTimeout(() => ending.abort(refusal("SHUTTING_DOWN")), graceMs);
  const cut = setTimeout(() => server.forceShutdown(), graceMs + unwindMs);
  try {
    await finished;
  } finally {
    clearTimeout(grace);
    clearTimeout(cut);
  }
}
