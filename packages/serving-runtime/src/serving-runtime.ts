import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { RuntimeConfig } from "./config.ts";
import { createHttpServer } from "./http/http-server.ts";
import { Instance } from "./instance.ts";
import { parseManifest } from "./manifest.ts";
import { createPredictionMetrics } from "./metrics.ts";
import { openRuntimeCertificate } from "./runtime-certificate.ts";
import { createTokenCheck } from "./token-check.ts";

/** A running instance. */
export interface RunningRuntime {
  readonly port: number;
  readonly grpcPort: number | undefined;
  /** Lets requests under way finish, then closes everything. */
  stop(): Promise<void>;
}

const idleCheckMs = 20;

/** What stops answering, in `graceMs` at most. */
interface Listener {
  readonly port: number;
  close(graceMs: number): Promise<void>;
}

/**
 * Listens, and loads the model meanwhile. `hidden`: files that a handler shall not read.
 * @throws ManifestError, SettingsError for a certificate that is invalid, or the listen error
 */
export async function startServingRuntime(config: RuntimeConfig, hidden: readonly string[]): Promise<RunningRuntime> {
  const manifest = parseManifest(readFileSync(config.SERVING_MANIFEST, "utf8"));
  const metrics = createPredictionMetrics();
  const instance = new Instance({ config, manifest, hidden, metrics, now: () => new Date() });
  metrics.show({ inFlight: () => instance.report.in_flight, isReady: () => instance.isReady });
  const { HOST: host, GRPC_PORT: grpcPort, MAX_BODY_BYTES: maxBodyBytes } = config;
  const certificate = openRuntimeCertificate(config);
  const assertToken = createTokenCheck(config.SERVING_TOKEN);
  const parts = { instance, metrics, assertToken, maxBodyBytes, certificate };
  const at = config.LISTEN_FD === undefined ? { host, port: config.PORT } : { fd: config.LISTEN_FD };
  const http = await listen(createHttpServer(parts), at);
  const grpc = grpcPort === undefined ? undefined : await listenForGrpc(parts, { host, port: grpcPort });
  void instance.load();
  return {
    port: http.port,
    grpcPort: grpc?.port,
    async stop() {
      instance.drain();
      await delay(config.SHUTDOWN_DELAY_MS);
      await Promise.all([http.close(config.SHUTDOWN_GRACE_MS), grpc?.close(config.SHUTDOWN_GRACE_MS)]);
      certificate?.close();
      await instance[Symbol.asyncDispose]();
    },
  };
}

async function listen(
  server: Server | TlsServer,
  at: { host: string; port: number } | { fd: number },
): Promise<Listener> {
  server.listen(at);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection is idle, and kept alive for its client, as soon as what is under way on it is answered.
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
      const grace = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(grace);
    },
  };
}

async function listenForGrpc(
  parts: Parameters<typeof createHttpServer>[0],
  o: { host: string; port: number },
): Promise<Listener> {
  // Only an instance that serves gRPC loads it.
  const { startGrpcServer } = await import("./grpc/grpc-server.ts");
  return startGrpcServer(parts, o);
}
