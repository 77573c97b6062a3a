import { type Backoff, backoffMs, pause } from "@aiplatform/backoff";
import type { Client } from "@grpc/grpc-js";
import type { Alternative } from "../alternative-service.ts";
import type { HttpTarget } from "./http-connection.ts";
import { HttpConnections } from "./http-connections.ts";
import { httpPortOf } from "./http-port.ts";
import { MeshConnection } from "./mesh-connection.ts";

/** How long calls prefer other replicas after this one refused a call for a fault of its own, in milliseconds. */
const avoidedForMs = 5_000;

/**
 * The connection that keeps watch is made again within this time, in milliseconds, or the others are given up with it. As long as an
 * attempt may take: a busy peer is slow to take a new connection, and answers on those at hand.
 */
const watchAgainWithinMs = 3_000;

/** The pause until a replica is asked again where it answers over HTTP/1.1, when it did not answer that. */
const askAgain: Backoff = { minMs: 1_000, maxMs: 60_000 };

/** One address and its connections, used in turn: a single HTTP/2 connection is a queue of its own. */
export class Replica {
  /** IP address and port. */
  readonly address: string;
  /** Used only while no other is reachable. */
  readonly isFallback: boolean;
  readonly #connections: readonly MeshConnection[];
  readonly #changed: () => void;
  #ready: readonly Client[] = [];
  #turn = 0;
  #avoidedUntil = 0;
  #closed = false;
  #unwatched: NodeJS.Timeout | undefined;
  readonly #httpTarget: ((found: Alternative) => HttpTarget) | undefined;
  #http: HttpConnections | undefined;
  #asking = false;

  /** `changed` is called when the replica becomes reachable, or stops being it. */
  constructor(o: {
    address: string;
    isFallback: boolean;
    connections: number;
    /** `keepsWatch`: the connection notices also without calls that its peer is gone. */
    open: (keepsWatch: boolean) => Client;
    changed: () => void;
    /** Where it answers over HTTP/1.1, by what it says of that. Absent: it is called over gRPC alone. */
    httpTarget?: (found: Alternative) => HttpTarget;
  }) {
    this.address = o.address;
    this.isFallback = o.isFallback;
    this.#changed = o.changed;
    this.#httpTarget = o.httpTarget;
    const look = () => this.#look();
    this.#connections = Array.from(
      { length: o.connections },
      (_, index) => new MeshConnection(() => o.open(index === 0), look),
    );
    this.#connections[0]?.start();
  }

  get isReady(): boolean {
    return this.#ready.length > 0;
  }

  get isAvoided(): boolean {
    return this.#avoidedUntil > 0 && this.#avoidedUntil > performance.now();
  }

  /** Lets other replicas be preferred for some seconds. */
  avoid(): void {
    this.#avoidedUntil = performance.now() + avoidedForMs;
  }

  /** The next connection; undefined while there is none. */
  next(): Client | undefined {
    this.#turn = (this.#turn + 1) % (this.#ready.length || 1);
    return this.#ready[this.#turn];
  }

  /** Whether calls can be made on a connection that it gave out before. */
  has(connection: Client): boolean {
    return this.#ready.includes(connection);
  }

  /** Its connections over HTTP/1.1; undefined while it is not known to have any. */
  get http(): HttpConnections | undefined {
    return this.#http;
  }

  /** Calls under way end where they are. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#unwatched);
    this.#closeHttp();
    for (const connection of this.#connections) connection.stop();
    this.#ready = [];
  }

  #look(): void {
    if (this.#closed) return;
    const before = this.isReady;
    this.#ready = this.#connections.flatMap(({ ready }) => ready ?? []);
    // A replica that is away is knocked at by one connection; the others follow it.
    for (const connection of this.#connections.slice(1)) {
      if (this.isReady) connection.start();
      else connection.stop();
    }
    this.#watch();
    if (before === this.isReady) return;
    if (this.isReady) void this.#openHttp();
    else this.#closeHttp();
    this.#changed();
  }

  /** What the first connection notices holds for all. A peer that has it connect again, because of its age, is not gone. */
  #watch(): void {
    if (this.#connections[0]?.ready || !this.isReady) {
      clearTimeout(this.#unwatched);
      this.#unwatched = undefined;
    } else this.#unwatched ??= setTimeout(() => this.#giveUpOthers(), watchAgainWithinMs).unref();
  }

  #giveUpOthers(): void {
    this.#unwatched = undefined;
    for (const connection of this.#connections.slice(1)) connection.stop();
    this.#look();
  }

  async #openHttp(): Promise<void> {
    if (this.#asking || !this.#httpTarget) return;
    this.#asking = true;
    for (let failures = 1; this.isReady && !this.#http; failures++) {
      const asked = this.next();
      const answer = asked ? await httpPortOf(asked).catch(() => undefined) : undefined;
      if (!answer) await pause(backoffMs(askAgain, failures));
      else if (!answer.found) break;
      else if (this.isReady) this.#http = new HttpConnections(this.#httpTarget(answer.found));
    }
    this.#asking = false;
  }

  /** At once: a replica that stops says so on its gRPC connections, and waits for the others to be closed. */
  #closeHttp(): void {
    this.#http?.close();
    this.#http = undefined;
  }
}
