import { hash } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { type ChannelCredentials, Client, credentials } from "@grpc/grpc-js";
import { flowControlWindow } from "../grpc/grpc-server.ts";
import type { MeshIdentity } from "../tls/mesh-identity.ts";
import { AddressWatch, hostAndPort, type Lookup, type ResolvedAddress } from "./address-watch.ts";
import { maxAnswerBytes } from "./http-connection.ts";
import { Replica } from "./replica.ts";

/** Milliseconds that a call waits for a connection, by how long there has been none. */
const connectTimeouts = {
  /** Never connected yet: the attempt is under way, and many processes that start together are slow to accept. */
  firstConnection: 5_000,
  /** A restart, or a connection that gives way to a new one. */
  shortlyAway: 2_000,
  /** An outage: callers hear of it soon, and one attempt to connect fits in, so that none is refused once the peer is back. */
  longAway: 800,
  /** From when on it is an outage. */
  longAwayAfter: 5_000,
} as const;

/**
 * No replica of a service can be reached; the call was not sent, and trying again at once is of no use. It is the
 * cause of what callers get, whose message has no address.
 */
export class NoReplicaError extends Error {
  override name = "NoReplicaError";
  constructor(addresses: readonly string[]) {
    super(`no connection to ${addresses.join(", ")}`);
  }
}

/** Where one call goes. */
export interface Route {
  readonly replica: Replica;
  readonly channel: Client;
}

/** By what a replica is picked. */
export interface PickOptions {
  /** Equal keys lead to the same replica while it is reachable. */
  readonly key: string | undefined;
  /** Replicas that this call has failed at; used only when there is no other. */
  readonly passedOver: ReadonlySet<Replica>;
}

export interface MeshChannelsOptions {
  /** Connections to each address. */
  readonly channels: number;
  readonly tls?: MeshIdentity | undefined;
  readonly lookup?: Lookup;
  /** Whether unary calls go over HTTP/1.1 to replicas that offer it; default true. */
  readonly overHttp?: boolean;
}

/** The connections of a mesh transport: to every address that its names resolve to, always. */
export class MeshChannels {
  readonly #addresses: readonly string[];
  readonly #watch: AddressWatch;
  readonly #openReplica: (found: ResolvedAddress) => Replica;
  readonly #waiting = new Set<() => void>();
  #replicas: readonly Replica[] = [];
  #turn = 0;
  #awaySince: number | undefined = performance.now();
  #wasReady = false;

  constructor(addresses: readonly string[], { channels, tls, lookup, overHttp = true }: MeshChannelsOptions) {
    if (addresses.length === 0) throw new RangeError("a mesh transport needs at least one address");
    const channelCredentials = tls?.channelCredentials() ?? credentials.createInsecure();
    this.#addresses = addresses;
    this.#openReplica = ({ address, authority, isFallback }) =>
      new Replica({
        ...{ address, isFallback },
        ...(overHttp ? { httpTarget: (found) => ({ ...found, host: hostAndPort(address).host, authority, tls }) } : {}),
        connections: channels,
        open: (keepsWatch) => openChannel({ address, authority, keepsWatch }, channelCredentials),
        changed: () => this.#noteReady(),
      });
    this.#watch = new AddressWatch(addresses, {
      ...(lookup ? { lookup } : {}),
      changed: (found) => this.#use(found),
    });
  }

  /**
   * A connection for one call, at once: with a key of the replica that is its home (rendezvous hashing) while that is
   * reachable, without one of each replica in turn. Undefined while none is reachable.
   */
  route(options: PickOptions): Route | undefined {
    const { passedOver } = options;
    const replica =
      this.#choose(options.key, (each) => !each.isFallback && !each.isAvoided && !passedOver.has(each)) ??
      this.#choose(options.key, (each) => !each.isAvoided && !passedOver.has(each)) ??
      this.#choose(options.key, (each) => !passedOver.has(each)) ??
      this.#choose(options.key, () => true);
    const channel = replica?.next();
    return replica && channel ? { replica, channel } : undefined;
  }

  /** The same, waiting for a connection for a moment. @throws UNAVAILABLE, caused by a NoReplicaError; the signal's reason when it aborts */
  async awaitRoute(options: PickOptions, signal: AbortSignal): Promise<Route> {
    await this.#change(this.#connectTimeoutMs(), signal);
    signal.throwIfAborted();
    const route = this.route(options);
    if (route) return route;
    const cause = new NoReplicaError(this.#addresses);
    throw new ConnectError("the service cannot be reached", Code.Unavailable, undefined, undefined, cause);
  }

  /** Whether a replica is reachable that is not among these. */
  hasOther(passedOver: ReadonlySet<Replica>): boolean {
    return this.#replicas.some((replica) => replica.isReady && !passedOver.has(replica));
  }

  close(): void {
    this.#watch.close();
    for (const replica of this.#replicas) replica.close();
    this.#replicas = [];
    for (const wake of this.#waiting) wake();
  }

  #connectTimeoutMs(): number {
    const awayMs = performance.now() - (this.#awaySince ?? performance.now());
    if (awayMs > connectTimeouts.longAwayAfter) return connectTimeouts.longAway;
    return this.#wasReady ? connectTimeouts.shortlyAway : connectTimeouts.firstConnection;
  }

  #choose(key: string | undefined, may: (replica: Replica) => boolean): Replica | undefined {
    const replicas = this.#replicas;
    if (key === undefined || replicas.length === 1) {
      this.#turn = (this.#turn + 1) % (replicas.length || 1);
      for (let i = 0; i < replicas.length; i++) {
        const replica = replicas[(this.#turn + i) % replicas.length];
        if (replica?.isReady && may(replica)) return replica;
      }
      return undefined;
    }
    let chosen: { replica: Replica; weight: number } | undefined;
    for (const replica of replicas) {
      if (!replica.isReady || !may(replica)) continue;
      const weight = rendezvousWeight(replica.address, key);
      if (!chosen || weight > chosen.weight) chosen = { replica, weight };
    }
    return chosen?.replica;
  }

  /** Connects to addresses that are new, and leaves those that are gone. */
  #use(found: readonly ResolvedAddress[]): void {
    const known = new Map(this.#replicas.map((replica) => [replica.address, replica]));
    const wanted = new Map(found.map((each) => [each.address, each]));
    this.#replicas = [...wanted].map(([address, each]) => known.get(address) ?? this.#openReplica(each));
    for (const [address, replica] of known) if (!wanted.has(address)) replica.close();
    this.#noteReady();
  }

  #noteReady(): void {
    if (this.#replicas.some(({ isReady }) => isReady)) {
      this.#awaySince = undefined;
      this.#wasReady = true;
      for (const wake of this.#waiting) wake();
    } else this.#awaySince ??= performance.now();
  }

  #change(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end, { once: true });
      this.#waiting.add(end);
      if (signal.aborted) end();
    });
  }
}

/** Highest weight wins: each key has its own order of replicas, and losing one moves only the keys it held. */
export function rendezvousWeight(address: string, key: string): number {
  return hash("sha256", `${address} ${key}`, "buffer").readUIntBE(0, 6);
}

function openChannel(
  { address, authority, keepsWatch }: Pick<ResolvedAddress, "address" | "authority"> & { keepsWatch: boolean },
  channelCredentials: ChannelCredentials,
): Client {
  const scheme = address.startsWith("[") ? "ipv6" : "ipv4";
  return new Client(`${scheme}:${address}`, channelCredentials, {
    "grpc.default_authority": authority,
    // Channels to one address would otherwise share one connection.
    "grpc.use_local_subchannel_pool": 1,
    "grpc-node.flow_control_window": flowControlWindow,
    "grpc.max_receive_message_length": maxAnswerBytes,
    "grpc.max_send_message_length": -1,
    // A peer whose machine is gone says nothing: it is known within 25 seconds, and not by the first call.
    "grpc.keepalive_time_ms": 10_000,
    "grpc.keepalive_timeout_ms": 10_000,
    // One connection of a replica tells it for all: others ask while they have calls.
    "grpc.keepalive_permit_without_calls": keepsWatch ? 1 : 0,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 500,
    "grpc.service_config_disable_resolution": 1,
    "grpc.enable_http_proxy": 0,
    // Bookkeeping of every call for a debugging protocol that is not served here.
    "grpc.enable_channelz": 0,
  });
}
