import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** What is counted as one source: an IPv4 address, or the /64 of an IPv6 one, which a single client can have to itself. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`)}/64`;
}
