import type { ServiceAssertions } from "@aiplatform/caller-identity";
import type { Interceptor } from "@connectrpc/connect";
import { outgoingCallInterceptor } from "../telemetry/outgoing-calls.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { MeshIdentity } from "../tls/mesh-identity.ts";
import { assertionInterceptor } from "./assertion.ts";
import { createMeshTransport, type MeshTransport } from "./mesh-transport.ts";

interface Options {
  readonly telemetry: Telemetry;
  readonly tls: MeshIdentity | undefined;
  /** What proves which service calls; absent: nothing does. */
  readonly assertions: ServiceAssertions | undefined;
}

/** The transports to other services, one per address, made when they are first asked for. */
export class PeerConnections {
  readonly #transports = new Map<string, MeshTransport>();
  readonly #interceptors: readonly Interceptor[];
  readonly #tls: MeshIdentity | undefined;

  constructor({ telemetry, tls, assertions }: Options) {
    const proven = assertions ? [assertionInterceptor(assertions)] : [];
    this.#interceptors = [outgoingCallInterceptor(telemetry), ...proven];
    this.#tls = tls;
  }

  to(addresses: string | readonly string[]): MeshTransport {
    const key = String(addresses);
    const options = { addresses, interceptors: this.#interceptors, tls: this.#tls };
    const transport = this.#transports.get(key) ?? createMeshTransport(options);
    this.#transports.set(key, transport);
    return transport;
  }

  close(): void {
    for (const transport of this.#transports.values()) transport.close();
  }
}
