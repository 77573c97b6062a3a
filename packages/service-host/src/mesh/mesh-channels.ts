import { hash } from "node:crypto";
import { type ChannelCredentials, Client, connectivityState, credentials } from "@grpc/grpc-js";
import { flowControlWindow } from "../grpc/grpc-server.ts";
import type { MeshIdentity } from "../tls/mesh-identity.ts";

/** Most bytes of one answer; services may send more than callers may. */
const largestAnswer = 16 * 1024 * 1024;

/** One address and its channels, used in turn: a single HTTP/2 connection is a queue of its own. */
interface Replica {
  readonly address: string;
  readonly channels: readonly Client[];
  turn: number;
}

/** The connections of a mesh transport. */
export class MeshChannels {
  readonly #replicas: readonly Replica[];
  #turn = 0;

  constructor(addresses: readonly string[], channelsEach: number, tls?: MeshIdentity) {
    if (addresses.length === 0) throw new RangeError("a mesh transport needs at least one address");
    const channelCredentials = tls?.channelCredentials() ?? credentials.createInsecure();
    this.#replicas = addresses.map((address) => ({
      address,
      channels: Array.from({ length: channelsEach }, () => openChannel(address, channelCredentials)),
      turn: 0,
    }));
  }

  /**
   * A channel for one call. Calls with the same key go to the same replica (rendezvous hashing) while it is connected;
   * without a key the replicas take turns. One that is not connected is passed over as long as another is.
   */
  channelFor(key: string | undefined): Client {
    const ranked = this.#replicas.length === 1 ? this.#replicas : this.#ranked(key);
    let first: Client | undefined;
    for (const replica of ranked) {
      replica.turn = (replica.turn + 1) % replica.channels.length;
      for (let i = 0; i < replica.channels.length; i++) {
        const channel = replica.channels[(replica.turn + i) % replica.channels.length];
        if (!channel) continue;
        first ??= channel;
        // `true`: an idle channel starts to connect, so that it takes calls again once its replica is back.
        if (channel.getChannel().getConnectivityState(true) === connectivityState.READY) return channel;
      }
    }
    if (!first) throw new RangeError("a mesh transport needs at least one channel");
    return first;
  }

  close(): void {
    for (const { channels } of this.#replicas) for (const channel of channels) channel.close();
  }

  #ranked(key: string | undefined): readonly Replica[] {
    if (key !== undefined) {
      return this.#replicas
        .map((replica) => ({ replica, weight: rendezvousWeight(replica.address, key) }))
        .sort((a, b) => b.weight - a.weight)
        .map(({ replica }) => replica);
    }
    this.#turn = (this.#turn + 1) % this.#replicas.length;
    return [...this.#replicas.slice(this.#turn), ...this.#replicas.slice(0, this.#turn)];
  }
}

/** Highest weight wins: each key has its own order of replicas, and losing one moves only the keys it held. */
export function rendezvousWeight(address: string, key: string): number {
  return hash("sha256", `${address} ${key}`, "buffer").readUIntBE(0, 6);
}

function openChannel(address: string, channelCredentials: ChannelCredentials): Client {
  return new Client(address, channelCredentials, {
    // Channels to one address would otherwise share one connection.
    "grpc.use_local_subchannel_pool": 1,
    "grpc-node.flow_control_window": flowControlWindow,
    "grpc.max_receive_message_length": largestAnswer,
    "grpc.max_send_message_length": -1,
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 3_000,
    // A name with several addresses (a headless service) is spread over all of them.
    "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    "grpc.service_config_disable_resolution": 1,
    "grpc.enable_http_proxy": 0,
    // Bookkeeping of every call for a debugging protocol that nobody serves here.
    "grpc.enable_channelz": 0,
  });
}
