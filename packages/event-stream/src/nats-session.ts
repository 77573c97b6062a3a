import { type Backoff, backoffMs, pause } from "@aiplatform/backoff";
import type { Logger } from "@aiplatform/document-store";
import { connect, Events, type JetStreamManager, type NatsConnection } from "nats";
import { EventStreamUnavailableError, reasonOf } from "./errors.ts";
import { connectionOptions, type NatsLogin } from "./nats-login.ts";
import { ensureStreams, findStreams, type StreamLimits } from "./stream-limits.ts";
import type { SubjectNames } from "./subjects.ts";

export interface SessionOptions {
  servers: string;
  name: string;
  names: SubjectNames;
  limits: StreamLimits;
  login: NatsLogin;
  /** Whether it makes and changes the streams; otherwise it waits until they are there. */
  makesStreams: boolean;
  logger: Logger;
}

/** A connection whose streams exist. */
export interface ReadySession {
  connection: NatsConnection;
  manager: JetStreamManager;
  incarnation: string;
}

const reconnecting: Backoff = { minMs: 200, maxMs: 2_000 };
const requestTimeoutMs = 5_000;

/**
 * Keeps one connection to NATS, for ever. The client reconnects by itself; this loop covers what it does not: the first
 * connection, a connection the client gave up, and streams that vanished with the server's disk.
 */
export class NatsSession {
  readonly #options: SessionOptions;
  readonly #stop = new AbortController();
  readonly #attached = new Set<(connection: NatsConnection) => void>();
  readonly #readyListeners = new Set<() => void>();
  readonly #loop: Promise<void>;
  #connection: NatsConnection | undefined;
  #live = false;
  #ready: ReadySession | undefined;
  #checking: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#loop = this.#keepConnected();
  }

  get connected(): boolean {
    return this.#live;
  }

  /** Whether there is a connection, and the streams exist. */
  get isReady(): boolean {
    return this.#live && this.#ready !== undefined;
  }

  get closing(): AbortSignal {
    return this.#stop.signal;
  }

  /** Throws {@link EventStreamUnavailableError} while there is no connection or no stream. */
  ready(): ReadySession {
    if (!this.#live || !this.#ready) throw new EventStreamUnavailableError("not connected to NATS JetStream");
    return this.#ready;
  }

  connection(): NatsConnection {
    if (!this.#live || !this.#connection) throw new EventStreamUnavailableError("not connected to NATS");
    return this.#connection;
  }

  /** Calls back for the present connection and for each one that replaces it. */
  onConnection(attach: (connection: NatsConnection) => void): () => void {
    this.#attached.add(attach);
    if (this.#connection) attach(this.#connection);
    return () => void this.#attached.delete(attach);
  }

  /** Calls back each time the streams have been found or made, such as after an outage. */
  onReady(listener: () => void): () => void {
    this.#readyListeners.add(listener);
    return () => void this.#readyListeners.delete(listener);
  }

  /** The streams may be gone: looks, and makes them again. One look at a time. */
  suspect(): void {
    this.#ready = undefined;
    this.#checking ??= this.#checkStreams().finally(() => {
      this.#checking = undefined;
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#live = false;
    await this.#connection?.close();
    await this.#loop;
    await this.#checking;
  }

  async #keepConnected(): Promise<void> {
    const { servers, name, login, logger } = this.#options;
    for (let failures = 0; !this.closing.aborted; ) {
      try {
        const connection = await connect({ ...connectionSettings, ...connectionOptions(servers, name, login), name });
        failures = 0;
        await this.#serve(connection);
      } catch (error) {
        failures += 1;
        if (failures % 10 === 1) logger.warn({ err: error }, "NATS is not reachable, retrying");
      }
      await pause(failures === 0 ? reconnecting.minMs : backoffMs(reconnecting, failures), this.closing);
    }
  }

  async #serve(connection: NatsConnection): Promise<void> {
    if (this.closing.aborted) return connection.close();
    this.#connection = connection;
    this.#live = true;
    this.#options.logger.info({ server: connection.getServer() }, "connected to NATS");
    for (const attach of this.#attached) attach(connection);
    this.suspect();
    void this.#watch(connection);
    const failure = await connection.closed();
    this.#live = false;
    this.#connection = undefined;
    this.#ready = undefined;
    if (failure) throw failure;
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === Events.Disconnect) {
        this.#live = false;
        this.#ready = undefined;
        this.#options.logger.warn({}, "disconnected from NATS");
      } else if (type === Events.Reconnect && !this.closing.aborted) {
        this.#live = true;
        this.#options.logger.info({ server: connection.getServer() }, "connected to NATS again");
        // The server may have come back with an empty disk.
        this.suspect();
      }
    }
  }

  async #checkStreams(): Promise<void> {
    const { names, limits, makesStreams, logger } = this.#options;
    for (let failures = 0; this.#live && !this.closing.aborted; failures += 1) {
      try {
        const connection = this.connection();
        const manager = await connection.jetstreamManager({ timeout: requestTimeoutMs });
        const incarnation = await (makesStreams ? ensureStreams(manager, names, limits) : findStreams(manager, names));
        this.#ready = { connection, manager, incarnation };
        for (const listener of this.#readyListeners) listener();
        return;
      } catch (error) {
        if (failures % 10 === 0) logger.warn(reasonOf(error), "JetStream is not ready, retrying");
        await pause(backoffMs(reconnecting, failures + 1), this.closing);
      }
    }
  }
}

const connectionSettings = {
  reconnect: true,
  maxReconnectAttempts: -1,
  reconnectTimeWait: 250,
  reconnectJitter: 250,
  // A dead link is noticed within ten seconds.
  pingInterval: 5_000,
  maxPingOut: 2,
  timeout: 3_000,
  ignoreAuthErrorAbort: true,
  // What this process announces is for others; hearing itself would cost a round trip for each of its own writes.
  noEcho: true,
  // A stack trace taken for each publish, in case it fails, costs more than the publish.
  noAsyncTraces: true,
};
