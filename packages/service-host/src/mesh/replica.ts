import type { Client } from "@grpc/grpc-js";
import { MeshConnection } from "./mesh-connection.ts";

/** How long calls prefer other replicas after this one refused a call for a fault of its own, in milliseconds. */
const avoidedForMs = 5_000;

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

  /** `changed` is called when the replica becomes reachable, or stops being it. */
  constructor(o: {
    address: string;
    isFallback: boolean;
    connections: number;
    open: () => Client;
    changed: () => void;
  }) {
    this.address = o.address;
    this.isFallback = o.isFallback;
    this.#changed = o.changed;
    this.#connections = Array.from({ length: o.connections }, () => new MeshConnection(o.open, () => this.#look()));
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

  /** Calls under way end where they are. */
  close(): void {
    this.#closed = true;
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
    if (before !== this.isReady) this.#changed();
  }
}
