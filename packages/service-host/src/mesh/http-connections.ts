import { type Backoff, backoffMs } from "@aiplatform/backoff";
import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError, type UnaryRequest, type UnaryResponse } from "@connectrpc/connect";
import { callOverHttp } from "./http-call.ts";
import { HttpConnection, type HttpTarget, NotBegunError } from "./http-connection.ts";

/** Connections to one replica at most; calls beyond them share its gRPC connections. */
const maxConnections = 64;
/** Connections that are made at once at most. */
const maxOpening = 8;
/** The pause after an attempt to connect that failed: a policy of the network may forbid the port for as long as it likes. */
const backoff: Backoff = { minMs: 100, maxMs: 60_000 };
/** How long a replica is called over gRPC alone after its HTTP port did not know an RPC: it may be of another version. */
const strangeForMs = 60_000;

/**
 * The HTTP/1.1 connections to one replica. They are made in the background, one for each call that found none free; that call
 * itself goes over gRPC, so that none waits for a connection, and a port that cannot be reached costs no call anything.
 */
export class HttpConnections {
  readonly #target: HttpTarget;
  readonly #open = new Set<HttpConnection>();
  readonly #idle: HttpConnection[] = [];
  #opening = 0;
  #failures = 0;
  #notBefore = 0;
  #closed = false;

  constructor(target: HttpTarget) {
    this.#target = target;
    this.#openAnother();
  }

  /** Makes a call on a connection that is free. Undefined where there is none, or the service has not begun with the call. */
  async call<I extends DescMessage, O extends DescMessage>(
    request: UnaryRequest<I, O>,
    deadline: number | undefined,
  ): Promise<UnaryResponse<I, O> | undefined> {
    const connection = this.#take();
    if (!connection) return undefined;
    try {
      return await callOverHttp(connection, request, deadline);
    } catch (error) {
      if (error instanceof NotBegunError) return undefined;
      if (ConnectError.from(error).code !== Code.Unimplemented) throw error;
      this.#suspend();
      return undefined;
    } finally {
      this.#release(connection);
    }
  }

  /** Calls under way end where they are. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  #take(): HttpConnection | undefined {
    for (let next = this.#idle.shift(); next; next = this.#idle.shift()) {
      if (next.isUsable) return next;
      next.close();
    }
    this.#openAnother();
    return undefined;
  }

  #release(connection: HttpConnection): void {
    const keep = !this.#closed && connection.isUsable && performance.now() >= this.#notBefore;
    if (keep) this.#idle.push(connection);
    else connection.close();
  }

  #suspend(): void {
    this.#notBefore = performance.now() + strangeForMs;
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  #openAnother(): void {
    if (this.#closed || this.#opening >= maxOpening || this.#open.size + this.#opening >= maxConnections) return;
    if (performance.now() < this.#notBefore) return;
    this.#opening++;
    const lost = (connection: HttpConnection) => {
      this.#open.delete(connection);
      const at = this.#idle.indexOf(connection);
      if (at >= 0) this.#idle.splice(at, 1);
    };
    HttpConnection.open(this.#target, lost)
      .then(
        (connection) => {
          this.#failures = 0;
          if (!connection.isUsable) return;
          this.#open.add(connection);
          this.#release(connection);
        },
        () => {
          this.#failures++;
          this.#notBefore = performance.now() + backoffMs(backoff, this.#failures);
        },
      )
      .finally(() => {
        this.#opening--;
      });
  }
}
