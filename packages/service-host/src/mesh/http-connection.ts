import { connect, type Socket } from "node:net";
import { setImmediate as soon } from "node:timers/promises";
import { Client, type Dispatcher } from "undici";
import { proofHeader } from "../alternative-service.ts";
import { maxHeaderBytes } from "../call-headers.ts";
import type { MeshIdentity } from "../tls/mesh-identity.ts";

/** Most bytes of one answer, over HTTP/1.1 and over gRPC; services may send more than callers may. */
export const maxAnswerBytes = 16 * 1024 * 1024;
/** Longest that an attempt to connect may take, TLS and a first answer included, in milliseconds. */
const maxAttemptMs = 3_000;
/**
 * Age, give or take a tenth, at which a connection gives way to a new one. Behind one address for many replicas the new one may lead to
 * a replica that was added.
 */
const maxAgeMs = 10_000;
/** Longest that a connection is kept without a call. A service closes it later, so that none closes under a call. */
const maxIdleMs = 3_000;

/** Where a service answers over HTTP/1.1. */
export interface HttpTarget {
  /** IP address. */
  readonly host: string;
  readonly port: number;
  /** What the port answers if it is the service's; undefined for one that proves nothing. */
  readonly proof: string | undefined;
  /** `host:port` by which the service is called: what its certificate is held against. */
  readonly authority: string;
  readonly tls: MeshIdentity | undefined;
}

/** The service has not begun with a call, and it may be made again in another way. */
export class NotBegunError extends Error {
  override name = "NotBegunError";
}

/** One HTTP/1.1 connection: it carries one call at a time, and is not made again when it is lost. */
export class HttpConnection {
  readonly #client: Client;
  readonly #expiresAt = performance.now() + maxAgeMs * (0.9 + Math.random() / 5);
  #lost = false;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Connects, and sees that the port is the service's. `lost` is called once when the connection ends, by either side. */
  static async open(target: HttpTarget, lost: (connection: HttpConnection) => void): Promise<HttpConnection> {
    let dialled = false;
    const client = new Client(`http://${target.authority}`, {
      connect(_options, done) {
        if (dialled) return done(new NotBegunError("the connection was lost"), null);
        dialled = true;
        dial(target).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        );
      },
      ...{ pipelining: 1, allowH2: false, maxResponseSize: maxAnswerBytes, maxHeaderSize: maxHeaderBytes },
      ...{ keepAliveTimeout: maxIdleMs, keepAliveMaxTimeout: maxIdleMs },
      // Calls have deadlines of their own.
      ...{ headersTimeout: 0, bodyTimeout: 0 },
    });
    const connection = new HttpConnection(client);
    client.once("disconnect", () => {
      connection.#lost = true;
      lost(connection);
    });
    try {
      // Not by HEAD: undici closes the connection after it.
      const { headers, body } = await client.request({
        method: "OPTIONS",
        path: "/",
        signal: AbortSignal.timeout(maxAttemptMs),
      });
      await body.dump();
      if (headers[proofHeader] !== target.proof) throw new Error("the port belongs to another service");
      // undici frees the connection for the next request after it has told of the answer.
      await soon();
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Whether another call may be made on it. */
  get isUsable(): boolean {
    return !this.#lost && performance.now() < this.#expiresAt;
  }

  /** Sends a request; the handler's error is a NotBegunError where the connection was lost before. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(request, handler);
  }

  close(): void {
    this.#client.destroy().catch(() => {});
  }
}

async function dial({ host, port, authority, tls }: HttpTarget): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true, timeout: maxAttemptMs });
  await new Promise<void>((resolve, reject) => {
    // Also once it is connected: without a listener an error would end the process.
    socket.on("error", reject);
    socket.once("timeout", () => socket.destroy(new Error("the attempt to connect took too long")));
    socket.once("connect", resolve);
  });
  socket.setTimeout(0);
  return tls ? await tls.secured(socket, { authority, protocol: "http/1.1" }) : socket;
}
