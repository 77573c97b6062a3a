import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** All that is handed out as global unicast (RFC 4291, 2.4); the table of ranges knows the exceptions inside of it only. */
const globalUnicast: Network = ipaddr.parseCIDR("2000::/3");

/** Tells which addresses may be reached. */
export class AddressGuard {
  readonly #networks: Network[];

  /** `allowedNetworks` (CIDR) may be reached although they are not public. @throws Error that names a bad one */
  constructor(allowedNetworks: readonly string[]) {
    this.#networks = allowedNetworks.map(readNetwork);
  }

  /** Whether the address is in an allowed network. */
  isAllowed(address: string): boolean {
    const read = readAddress(address);
    return read !== undefined && this.#networks.some((network) => contains(network, read));
  }

  /** Whether the address is in an allowed network or public: plain unicast, and neither reserved, a tunnel nor a translation. */
  mayReach(address: string): boolean {
    const read = readAddress(address);
    return read !== undefined && (isPublic(read) || this.isAllowed(address));
  }
}

/** An IPv4 address in an IPv6 coat is the IPv4 address. Undefined: no address at all. */
function readAddress(address: string): Address | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

function isPublic(address: Address): boolean {
  return address.range() === "unicast" && (address.kind() === "ipv4" || contains(globalUnicast, address));
}

function contains(network: Network, address: Address): boolean {
  return network[0].kind() === address.kind() && address.match(network);
}

/** For settings that list networks. @throws Error whose message completes the name of the setting */
export function assertNetwork(network: string): void {
  if (!isNetwork(network)) throw new Error(`must be networks such as 10.0.0.0/8 or fd00::/8; ${network} is not one`);
}

// The short spellings of IPv4 are ambiguous: 10/8 would be 0.0.0.10/8.
function isNetwork(text: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

function readNetwork(network: string): Network {
  if (!isNetwork(network)) throw new Error(`${network} is not a network, such as 10.0.0.0/8 or fd00::/8`);
  return ipaddr.parseCIDR(network);
}
