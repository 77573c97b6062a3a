import type { Transport } from "@connectrpc/connect";

/** A service that content calls. */
export type OtherService = "identity" | "training" | "deployments" | "data";

/** gRPC addresses; none where a service is not set up. */
export type ServiceAddresses = Readonly<Record<OtherService, readonly string[]>>;

/** Connections to other services, each made when it is needed for the first time. */
export class OtherServices {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: ServiceAddresses;
  readonly #transports = new Map<OtherService, Transport>();

  constructor(connect: (addresses: readonly string[]) => Transport, addresses: ServiceAddresses) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** Undefined where the service is not set up. */
  transportTo(service: OtherService): Transport | undefined {
    const addresses = this.#addresses[service];
    if (addresses.length === 0) return undefined;
    const transport = this.#transports.get(service) ?? this.#connect(addresses);
    this.#transports.set(service, transport);
    return transport;
  }
}
