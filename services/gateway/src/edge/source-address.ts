import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { networkOf } from "@aiplatform/caller-identity";
import proxyAddr from "proxy-addr";

/** Where a request comes from. */
export interface Source {
  /** IP address of the client, as far as proxies we trust can tell. */
  readonly address: string;
  /** What is counted as one source. */
  readonly network: string;
}

/**
 * Reads where requests come from: the peer of the connection, or, where `trustedProxies` (CIDR) has the peer, the
 * right-most hop of `X-Forwarded-For` that is not trusted itself. What is further left may be forged.
 * @throws TypeError for what is no network
 */
export function createSourceReader(trustedProxies: readonly string[]): (request: IncomingMessage) => Source {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return (request) => {
    // A trusted hop may have written no address; who passed the request on is known all the same.
    const address = proxyAddr.all(request, trusts).findLast((hop) => isIP(hop) !== 0) ?? "";
    return { address, network: networkOf(address) };
  };
}
